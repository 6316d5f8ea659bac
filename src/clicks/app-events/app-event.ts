/** Outcomes of the first launch of an installation. */
export const launchOutcomes = ['claimed', 'none', 'declined', 'expired', 'used', 'offline_later'] as const;
export type LaunchOutcome = (typeof launchOutcomes)[number];

/** A page with a token was shown, the token copied, and the store opened. */
export const storeSteps = ['shown', 'copied', 'store'] as const;
export type StoreStep = (typeof storeSteps)[number];

/**
 * An open of an app, the claim of a deferred link, equal clicks on a variant, or a step through a store. It contains neither an address
 * nor an id of a person.
 */
export interface AppEvent {
  event: 'open' | 'claim' | 'click' | 'first_open' | StoreStep | LaunchOutcome;
  /** SHA-256 of the id. An event counts once, however often it is sent. */
  digest: Buffer;
  projectId: string;
  dynamicLinkId: string;
  /** Milliseconds since 1970 (UTC). */
  at: number;
  platform: 'ios' | 'android' | 'desktop';
  /** Empty if unknown. */
  version: string;
  /** Empty if unknown, and for steps through a store. */
  country: string;
  /** Empty without one. */
  variant: string;
  /** The app in whose browser the link was opened; empty for others, and for opens, claims and clicks. */
  browser: string;
  /** The number of clicks; 1 for other events. */
  times: number;
}

/** The facts of one event of which nothing is known. */
export const unknownFacts = { version: '', country: '', variant: '', browser: '', times: 1 };
