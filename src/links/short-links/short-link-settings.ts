export class ShortLinkSettings {
  /** Short links per dynamic link; Infinity means no limit. */
  readonly perDynamicLink: number;
}
