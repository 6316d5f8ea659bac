export class AppSettings {
  /** Apps per project, iOS and Android together. */
  readonly perProject: number;
}
