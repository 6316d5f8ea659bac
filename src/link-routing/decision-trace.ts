import type { PlatformEvidence } from './platform';

/** What each rule of an answer may find. `taken`: it decides. */
export interface Findings {
  /** The visitor's query. */
  query: 'kept' | 'reserved_taken_off';
  platform: PlatformEvidence | 'given';
  /** A Macintosh, which may be an iPad. */
  ipad: 'found_out' | 'may_be_ipad';
  preview: 'taken' | 'no_social_crawler' | 'no_social_fields';
  in_app_browser: 'taken' | 'own_browser' | 'no_app' | 'from_our_page';
  get_the_app: 'taken' | 'off' | 'no_app' | 'no_store_id';
  ios_fallback_url: 'taken' | 'not_set';
  app_store: 'taken' | 'no_app' | 'no_store_id';
  android_fallback_url: 'taken' | 'not_set';
  play_store: 'taken' | 'no_app';
  desktop_url: 'taken' | 'not_set';
  landing_page: 'taken';
  /** Those of link and visitor, at the destination. */
  parameters: 'none' | 'merged' | 'campaign_only' | 'in_referrer';
  /** The single-use token of a deferred deep link. */
  token: 'issued' | 'robot';
}

export type Rule = keyof Findings;

/** Told of each rule, in the order in which serving looks at them, what it found. */
export type DecisionTrace = <R extends Rule>(rule: R, finding: Findings[R]) => void;
