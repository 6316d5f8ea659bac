import type { PlatformEvidence } from './device-platform';

export type LongLinkFinding =
  | 'accepted'
  | 'off'
  | 'no_link'
  | 'repeated_parameter'
  | 'invalid_destination'
  | 'destination_not_allowed';

export type PathFinding = 'exact' | 'letter_case' | 'cut' | 'unknown';

/** The possible findings of each routing rule. `taken`: the rule decides the answer. */
export interface Findings {
  query: 'kept' | 'reserved_taken_off';
  /** The visitor's parameters, if some do not reach destinations. */
  query_forwarding: 'none' | 'listed';
  /** The path of the address, if the request names one. */
  path: PathFinding;
  /** A visit of `/` by a long link of Firebase. */
  long_link: LongLinkFinding;
  platform: PlatformEvidence | 'given';
  /** A Macintosh, which may be an iPad. */
  ipad: 'found_out' | 'may_be_ipad';
  /** Only a disabled link has this step. */
  disabled: 'taken';
  /** Only a link with `active_from`, `active_until` or a reached limit has this step. */
  life: 'active' | 'not_begun' | 'ended' | 'used_up';
  /** Only a link with a password or a limit has this step. */
  lock: 'password' | 'button';
  /** Only a link with rules has this step. */
  rules: 'matched' | 'none_matched';
  /** Only a link or a matching rule with variants has this step. */
  variant: 'named' | 'first' | 'robot';
  preview: 'taken' | 'no_social_crawler' | 'no_social_fields';
  in_app_browser: 'taken' | 'own_browser' | 'no_app' | 'from_our_page';
  /** Only a page that can offer a way out of an in-app browser has this step. */
  browser_escape: 'none' | 'only' | 'first' | 'measured';
  get_the_app: 'taken' | 'off' | 'no_app' | 'no_store_id';
  ios_fallback_url: 'taken' | 'not_set' | 'own_address';
  app_store: 'taken' | 'no_app' | 'no_store_id';
  android_fallback_url: 'taken' | 'not_set' | 'own_address' | 'other_store';
  /** Only an app with `android_stores` has this step. */
  android_store: 'taken' | 'no_store';
  play_store: 'taken' | 'no_app';
  desktop_url: 'taken' | 'not_set' | 'own_address';
  landing_page: 'taken';
  /** How the parameters of link and visitor reach the destination. */
  parameters: 'none' | 'merged' | 'campaign_only' | 'in_referrer' | 'not_read' | 'other_scheme';
  token: 'issued' | 'robot';
  /** Only a redirect to a web destination of a link that counts conversions has this step. */
  click_id: 'issued' | 'robot';
}

export type DecisionRule = keyof Findings;

/** Receives the finding of each rule, in order of evaluation. */
export type DecisionTrace = <R extends DecisionRule>(rule: R, finding: Findings[R]) => void;
