import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { browserFamilyOf } from './browser-family';
import { inAppBrowserOf } from './in-app-browsers';
import { socialCrawler } from './social-crawlers';

/** The kinds of device that a link tells apart. */
export type Platform = 'ios' | 'android' | 'desktop';

/** Who asks for a link, as far as its headers tell. */
export interface Visitor {
  platform: Platform;
  /** Fetches a preview for a social network or a messenger: the narrow list. */
  socialCrawler: boolean;
  /** Any program that is no person's browser, social crawlers included (npm `isbot`). */
  robot: boolean;
  /** The browser's family, or the app that it is inside of; null where none is known, and for robots, which may call themselves anything. */
  browser: string | null;
  /** The browser inside another app, where universal links and app links do not fire. */
  inAppBrowser: boolean;
  /** Says it is a Macintosh: may be an iPad, which only touch points tell. */
  macintosh: boolean;
}

/** Characters that are looked at. The longest user agents of people, in Facebook's and TikTok's apps, have about 500. */
const longestRead = 1024;
const longestHintRead = 64;

/** Most visits repeat one of a few thousand pairs of headers. Long ones are rare and would let a stranger fill the memory. */
const longestKept = 512;
const known = new LRUCache<string, Visitor>({ max: 5000 });

/** @param headers `User-Agent` and `Sec-CH-UA-Platform`; either may be absent, made up, or of any length */
export function visitorOf(headers: { userAgent: string | undefined; clientHint: string | undefined }): Visitor {
  const { userAgent = '', clientHint = '' } = headers;
  if (userAgent.length > longestKept || clientHint.length > longestHintRead) return judge(userAgent, clientHint);
  // No header holds a line break, so that no two pairs share a key.
  const key = `${clientHint}\n${userAgent}`;
  let visitor = known.get(key);
  if (!visitor) known.set(key, (visitor = judge(userAgent, clientHint)));
  return visitor;
}

function judge(wholeUserAgent: string, wholeHint: string): Visitor {
  const userAgent = wholeUserAgent.slice(0, longestRead);
  const stated = wholeHint.slice(0, longestHintRead).replaceAll('"', '').trim().toLowerCase();
  const hint = stated === 'unknown' ? '' : stated;
  const platform = platformOf(userAgent, hint);
  const app = inAppBrowserOf(userAgent);
  // `isbot` and others take words in an app's addition, such as its phone's model, for a program's name.
  const crawls = app === null && socialCrawler.test(userAgent);
  const robot = crawls || (app === null && isbot(userAgent));
  // Shared between visits: nobody may change it.
  return Object.freeze({
    platform,
    socialCrawler: crawls,
    robot,
    browser: robot ? null : (app ?? browserFamilyOf(userAgent)),
    inAppBrowser: app !== null,
    macintosh: platform === 'desktop' && (hint ? hint === 'macos' : userAgent.includes('Macintosh')),
  });
}

/** Screens that nobody installs a phone's app on: televisions, consoles, watches, headsets, phones with buttons. */
const screens =
  /Xbox|PlayStation|Nintendo|Smart-?TV|Google ?TV|Android TV|Apple ?TV|BRAVIA|\bAFT[A-Z]|CrKey|Roku|Web0S|webOS|Tizen|HbbTV|NetCast|Viera|Watch ?OS|\bWatch\b|\bSM-R[0-9]{3}|OculusBrowser|KAIOS/i;

/** Desktop systems, and Windows Phone, which named Android and the iPhone to be served as they were. */
const otherSystems = /Windows Phone|IEMobile|Windows NT|CrOS|like iPhone/i;

const ios = /\b(?:iPhone|iPad|iPod)\b|\b(?:CriOS|FxiOS|EdgiOS|OPiOS|OPT|DuckDuckGo\/[0-9]{1,4} iOS)\//;

const android = /\bAndroid\b|\bFB4A\b|\bSilk\/|HarmonyOS|OpenHarmony|\bAdr\b/;

/** Seen on Android too, or in other words; they count where nothing else does. The Google app is no Mac program. */
const weakIos = /\biOS\b|\bFBIOS\b|\bGSA\//;

/**
 * The platform that the browser states (`Sec-CH-UA-Platform`, WICG User-Agent Client Hints) goes before the user agent, but
 * for screens that state Android and are no phone. An iPad that calls itself a Macintosh cannot be told from one here.
 */
function platformOf(userAgent: string, hint: string): Platform {
  if (hint === 'ios') return 'ios';
  if (hint === 'android') return screens.test(userAgent) ? 'desktop' : 'android';
  if (hint || screens.test(userAgent) || otherSystems.test(userAgent)) return 'desktop';
  if (ios.test(userAgent)) return 'ios';
  if (android.test(userAgent)) return 'android';
  return weakIos.test(userAgent) ? 'ios' : 'desktop';
}
