import type { AndroidStore } from '../../links/apps/android-identifiers';
import { browserFamilyOf } from './browser-family';
import { continuationOf } from './continuation';
import { embeddingAppOf, inAppBrowserOf, unlistedApp } from './in-app-browsers';
import { namesAndroidBrowser, platformEvidence, type Platform, platformByEvidence } from './device-platform';
import { isRobot } from './robots';
import { isSocialCrawler } from './social-crawlers';
import type { DecisionTrace } from './decision-trace';
import { VisitorCache } from './visitor-cache';

export interface Visitor {
  platform: Platform;
  /** Fetches a preview for a social network or messenger (`social-crawlers.ts`). */
  socialCrawler: boolean;
  /** Any automated client, including social crawlers (`robots.ts`), and a prefetch by the browser of a person. */
  robot: boolean;
  /** The browser family or the containing app; null if unknown, and for robots, because their user agents are arbitrary. */
  browser: string | null;
  /** The browser runs inside another app, where universal links and app links do not open apps. */
  inAppBrowser: boolean;
  /** The headers name a Macintosh. It may be an iPad, which only `navigator.maxTouchPoints` reveals. */
  macintosh: boolean;
  /** The store of the device's vendor beside Google Play; null if the user agent names none. */
  androidStore: AndroidStore | null;
}

/** The longest user agents of real browsers, in the apps of Facebook and TikTok, have about 500 characters. */
const maxUserAgentChars = 1024;
const maxClientHintChars = 64;

/**
 * Holds some 27,000 user agents of usual length, because a busy service sees thousands of distinct ones.
 *
 * Measured: 1 µs for a cached user agent, 24 µs for a new one.
 */
const cache = new VisitorCache<Visitor>(8_000_000);

/** Each distinct visitor once, so that clicks of one kind share an object. All fields have few values. */
const distinct = new Map<string, Visitor>();

/** Headers of a request. Each may be absent, forged, or of any length. */
export interface VisitorHeaders {
  userAgent: string | undefined;
  clientHint: string | undefined;
  /** `X-Requested-With`; absent for the web view of the app that the link opens. */
  requestedWith?: string | undefined;
}

/**
 * Classifies a visitor by `User-Agent`, `Sec-CH-UA-Platform` and `X-Requested-With`.
 * @param trace receives the evidence of the platform; a traced call bypasses the cache
 */
export function visitorOf(headers: VisitorHeaders, trace?: DecisionTrace): Visitor {
  const { userAgent = '', clientHint = '' } = headers;
  const read = { userAgent, clientHint, embeddingApp: embeddingAppOf(headers.requestedWith) };
  return trace ? classify(read, trace) : cache.get(read, classify);
}

/** Returns the visitor with the platform iOS if a page detected that the Macintosh is an iPad. */
export function resolveIpad(visitor: Visitor, via: string | null, trace?: DecisionTrace): Visitor {
  if (!visitor.macintosh) return visitor;
  const isIpad = continuationOf(via)?.isIpad ?? false;
  trace?.('ipad', isIpad ? 'found_out' : 'may_be_ipad');
  return isIpad ? shared({ ...visitor, platform: 'ios' }) : visitor;
}

/** Returns the visitor as a robot, for a request that no person has made. Its answer has no token. */
export const asRobot = (visitor: Visitor): Visitor =>
  visitor.robot ? visitor : shared({ ...visitor, robot: true, browser: null });

interface ReadHeaders {
  userAgent: string;
  clientHint: string;
  embeddingApp: string;
}

function classify(headers: ReadHeaders, trace?: DecisionTrace): Visitor {
  const userAgent = headers.userAgent.slice(0, maxUserAgentChars);
  const stated = headers.clientHint.slice(0, maxClientHintChars).replaceAll('"', '').trim().toLowerCase();
  const hint = stated === 'unknown' ? '' : stated;
  const evidence = platformEvidence(userAgent, hint);
  trace?.('platform', evidence);
  const platform = platformByEvidence[evidence];
  const namedApp = inAppBrowserOf(userAgent);
  // Known apps are exempt, because their additions have arbitrary words, such as phone models.
  const socialCrawler = namedApp === null && isSocialCrawler(userAgent);
  const robot = socialCrawler || (namedApp === null && isRobot(userAgent));
  const macintosh = platform === 'desktop' && (hint ? hint === 'macos' : userAgent.includes('Macintosh'));
  const family = robot ? null : (namedApp ?? browserFamilyOf(userAgent));
  const inUnnamedWebView = !robot && namedApp === null && isUnnamedWebView(userAgent, family);
  const embeddingApp = inUnnamedWebView ? headers.embeddingApp : '';
  const app = namedApp ?? (embeddingApp === '' || embeddingApp === unlistedApp ? null : embeddingApp);
  return shared({
    platform,
    socialCrawler,
    robot,
    browser: app ?? family,
    inAppBrowser: app !== null || embeddingApp === unlistedApp,
    macintosh,
    androidStore: platform === 'android' ? androidStoreOf(userAgent) : null,
  });
}

/** Returns whether the user agent is that of a web view of Android without the name of a browser. */
const isUnnamedWebView = (userAgent: string, family: string | null): boolean =>
  /^Mozilla\/5\.0 \(Linux; [^)]*\b(?:Android|HarmonyOS)\b/.test(userAgent) &&
  (userAgent.includes('; wv)') || userAgent.includes(' Version/4.0 ')) &&
  (family === 'Chrome' || family === 'Android Browser' || family === null) &&
  !namesAndroidBrowser(userAgent);

/** Returns the visitor with these fields. It is frozen, because visits share it. */
function shared(visitor: Visitor): Visitor {
  const key = Object.values(visitor).join();
  const known = distinct.get(key);
  if (known) return known;
  distinct.set(key, Object.freeze(visitor));
  return visitor;
}

/** Silk, and models of Fire tablets such as KFTRWI. Both exist on devices of Amazon only. Fire TV counts as desktop. */
const amazon = /\bSilk\/|; KF[A-Z]{2,6}(?= Build\/|[;)])|\bKindle Fire\b/;

/** Huawei's browser names its services and those of Google, as far as the phone has them. HarmonyOS comes without those of Google. */
const huaweiServices = /\b(?:HMSCore|HarmonyOS)\b/;
const googleServices = /\bGMSCore\b/;

/** Models of Samsung, and its browser where that hides the model, as `K` or as a desktop. */
const samsung =
  /\bSM-[A-Z][0-9]{3}|^Mozilla\/5\.0 \((?:Linux; Android [0-9]{1,2}; K|X11; Linux x86_64)\) .*\bSamsungBrowser\//;

/**
 * Returns the store of the vendor of an Android device. Returns null in doubt, because a store of another vendor has no installer
 * there. Chrome hides models, so it names no vendor.
 */
function androidStoreOf(userAgent: string): AndroidStore | null {
  if (amazon.test(userAgent)) return 'amazon';
  if (huaweiServices.test(userAgent)) return googleServices.test(userAgent) ? null : 'appgallery';
  return samsung.test(userAgent) ? 'samsung' : null;
}
