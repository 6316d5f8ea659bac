/** An open of an app by a link, the claim of a deferred link, or equal clicks that lead to a variant. It contains neither an address nor an id of a person. */
export interface AppEvent {
  event: 'open' | 'claim' | 'click';
  /** SHA-256 of the id. An event counts once, however often it is sent. */
  digest: Buffer;
  projectId: string;
  dynamicLinkId: string;
  /** Milliseconds since 1970 (UTC). */
  at: number;
  platform: 'ios' | 'android' | 'desktop';
  /** Empty if unknown. */
  version: string;
  /** Empty if unknown. */
  country: string;
  /** Empty without one. */
  variant: string;
  /** The number of clicks; 1 for opens and claims. */
  times: number;
}
