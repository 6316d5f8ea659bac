/** An open of an app by a link, or the claim of a deferred link. It contains neither an address nor an id of a person. */
export interface AppEvent {
  event: 'open' | 'claim';
  /** SHA-256 of the id. An event counts once, however often it is sent. */
  digest: Buffer;
  projectId: string;
  dynamicLinkId: string;
  /** Milliseconds since 1970 (UTC). */
  at: number;
  platform: 'ios' | 'android';
  /** Empty if unknown. */
  version: string;
  /** Empty if unknown. */
  country: string;
}
