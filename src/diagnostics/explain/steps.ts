import type { Findings, DecisionRule } from '../../link-routing/visitor/decision-trace';

/** `taken`: the rule decided the answer. `passed`: it did not apply. `noted`: it only informs other rules. */
export const stepOutcomes = ['taken', 'passed', 'noted'] as const;

export interface Step {
  rule: DecisionRule;
  outcome: (typeof stepOutcomes)[number];
  finding: string;
  reason: string;
}

const reasons: { [R in DecisionRule]: Record<Findings[R], string> } = {
  query: {
    kept: "The visitor's parameters are passed on as sent.",
    reserved_taken_off:
      "Reserved parameters of this service are removed; the visitor's other parameters are passed on.",
  },
  query_forwarding: {
    none: "query_forwarding is none, so destinations get none of the visitor's parameters.",
    listed:
      "query_forwarding is listed, so destinations get those of the visitor's parameters that forwarded_params has.",
  },
  path: {
    exact: 'A link has exactly this path.',
    letter_case: 'No link has exactly this path; one path differs only in letter case.',
    cut: 'No link has exactly this path; a link has it without the characters at its end, in any letter case.',
    unknown:
      'No link has this path, also without the characters at its end, and none or several have it in other letter case.',
  },
  long_link: {
    accepted: 'The query is a long link of Firebase, and the project allows all of its destinations.',
    off: 'The project serves no long links, because long_link_destinations is empty.',
    no_link: 'The query has no parameter link.',
    repeated_parameter: 'The query has a parameter of long links twice.',
    invalid_destination: 'link, ofl, ifl or afl is not an absolute http or https URL.',
    destination_not_allowed: 'long_link_destinations does not have the host of link, ofl, ifl or afl.',
  },
  platform: {
    given: 'The request names the platform.',
    client_hint_ios: 'Sec-CH-UA-Platform is iOS, which takes precedence over the user agent.',
    client_hint_android: 'Sec-CH-UA-Platform is Android, which takes precedence over the user agent.',
    client_hint_other:
      'Sec-CH-UA-Platform is neither iOS nor Android and takes precedence over the user agent: desktop.',
    screen:
      'The user agent belongs to a television, console, watch or other device without apps of iOS and Android: desktop.',
    desktop_system: 'The user agent names a desktop system, or Windows Phone: desktop.',
    ios_device: 'The user agent names an iPhone, an iPad, an iPod or a browser that only iOS has.',
    android_device: 'The user agent names Android, or a system or app that only Android has.',
    ios_words: 'The user agent contains iOS, or is that of an app whose user agent is this short only on iOS.',
    unknown: 'The user agent names no phone: desktop.',
  },
  ipad: {
    found_out: 'A page of this service detected that this Macintosh is an iPad: iOS.',
    may_be_ipad: 'The user agent names a Macintosh, as iPads do; only a page can distinguish them.',
  },
  disabled: {
    taken: 'The link is disabled. Every visitor gets a page with the status 410.',
  },
  life: {
    active: 'The visit is between active_from and active_until.',
    not_begun: 'The visit is before active_from, so that the visitor gets what an unknown path gets.',
    ended: 'The visit is not before active_until, so that the link has ended.',
    used_up: 'click_limit is reached, so that the link has ended.',
  },
  lock: {
    password: 'The link has a password, which visitors enter on a page.',
    button: 'The link has a click_limit, so that visitors get a page whose button uses up a click.',
  },
  rules: {
    matched: 'A rule of the link matches, and its destination replaces those of the link.',
    none_matched: 'No rule of the link matches, so the other fields of the link decide.',
  },
  variant: {
    named:
      'The request names this variant. A visitor gets one by a hash of address and user agent, and the same one for the day.',
    first:
      'The request names no variant that people get, so the first one is shown. A visitor gets one by a hash of address and user agent.',
    robot: 'The visitor is a robot, which gets the first variant and does not count for it.',
  },
  preview: {
    taken: 'The visitor fetches a preview for a social network or messenger, and the link has social fields.',
    no_social_crawler: 'The visitor is not the preview crawler of a social network or messenger.',
    no_social_fields:
      'The visitor fetches a preview, but the link has no social_title, social_description or social_image_url.',
  },
  in_app_browser: {
    taken: "The link has an app for this platform, and links do not open apps from another app's browser.",
    own_browser: "The visitor is not inside another app's browser.",
    no_app: "The visitor is inside another app's browser, but the link has no app that links open on this platform.",
    from_our_page: "The visitor continues from this service's page inside another app's browser.",
  },
  browser_escape: {
    none: "The page has no “Open in browser”, because no way out of this version of the visitor's app is known.",
    only: "“Open in browser” has the only known way out of this version of the visitor's app.",
    first:
      'Several ways out are known. “Open in browser” has the first one of the table, because no other one has proved better.',
    measured:
      'Several ways out are known. “Open in browser” has another one than the first of the table, because more visitors have arrived by it.',
  },
  get_the_app: {
    taken: 'ios_deferred_deep_link is on, and the iOS app has an appstore_id.',
    off: 'ios_deferred_deep_link is off.',
    no_app: 'ios_deferred_deep_link is on, but the link has no iOS app.',
    no_store_id: 'ios_deferred_deep_link is on, but the iOS app has no appstore_id.',
  },
  ios_fallback_url: {
    taken: 'The link has an ios_fallback_url.',
    not_set: 'The link has no ios_fallback_url.',
    own_address: 'The ios_fallback_url is the visited address, so a redirect would lead here again.',
  },
  app_store: {
    taken: 'The link has an iOS app with an appstore_id.',
    no_app: 'The link has no iOS app.',
    no_store_id: 'The iOS app has no appstore_id.',
  },
  android_fallback_url: {
    taken: 'The link has an android_fallback_url.',
    not_set: 'The link has no android_fallback_url.',
    own_address: 'The android_fallback_url is the visited address, so a redirect would lead here again.',
    other_store:
      "The android_fallback_url is the app's page in the Play Store, and the device has another store of the app.",
  },
  android_store: {
    taken: "The user agent names a device whose vendor has one of the app's android_stores.",
    no_store: "The user agent names no device whose vendor has one of the app's android_stores.",
  },
  play_store: {
    taken: 'The link has an Android app.',
    no_app: 'The link has no Android app.',
  },
  desktop_url: {
    taken: 'The link has a desktop_url.',
    not_set: 'The link has no desktop_url.',
    own_address: 'The desktop_url is the visited address, so a redirect would lead here again.',
  },
  landing_page: {
    taken: 'The link has no destination for this visitor; the service shows its landing page.',
  },
  parameters: {
    none: 'Neither the link nor the visitor has parameters.',
    merged:
      "The destination's parameters, then referrer_params, then the visitor's; a later one replaces earlier ones of its name.",
    campaign_only: 'The App Store accepts only pt, ct, mt, at, ppid and eventid.',
    in_referrer:
      "referrer_params and the visitor's parameters are sent inside referrer, the install referrer of the store; listing, hl and gl of Google Play beside it.",
    other_scheme:
      'The destination has another scheme than http and https, so visitors get a page with a button. It gets no parameters.',
    not_read: 'This store reads no parameters from its URL.',
  },
  token: {
    issued: 'A visit gets a single-use token for the app to be installed; TOKEN is its placeholder.',
    robot: 'The visitor is a robot, which installs no app and gets no token.',
  },
  click_id: {
    issued: 'Conversions count for the link, so a visit gets a click id; CLICK_ID is its placeholder.',
    robot: 'Conversions count for the link, but the visitor is a robot and gets no click id.',
  },
};

export const decisionRules = Object.keys(reasons) as DecisionRule[];

export const findings = [...new Set(Object.values(reasons).flatMap((one) => Object.keys(one)))];

/** Rules that decide no answer. */
const informativeRules: ReadonlySet<DecisionRule> = new Set([
  'query',
  'query_forwarding',
  'path',
  'long_link',
  'platform',
  'ipad',
  'life',
  'rules',
  'variant',
  'browser_escape',
  'parameters',
  'click_id',
  'token',
]);

export function stepOf<R extends DecisionRule>(rule: R, finding: Findings[R]): Step {
  const isRefusal =
    (rule === 'life' && finding !== 'active') ||
    rule === 'lock' ||
    (rule === 'long_link' && finding !== 'accepted') ||
    (rule === 'path' && finding === 'unknown');
  const outcome = finding === 'taken' || isRefusal ? 'taken' : informativeRules.has(rule) ? 'noted' : 'passed';
  return { rule, outcome, finding, reason: reasons[rule][finding] };
}
