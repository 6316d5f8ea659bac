import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import { browserFamilyOf } from './browser-family';
import { inAppBrowserOf } from './in-app-browsers';
import { evidenceIn, type Platform, platformBy } from './platform';
import { socialCrawler } from './social-crawlers';
import type { DecisionTrace } from './decision-trace';

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

/**
 * @param headers `User-Agent` and `Sec-CH-UA-Platform`; either may be absent, made up, or of any length
 * @param why is told what the platform was taken from; what is asked for that is not remembered
 */
export function visitorOf(
  headers: { userAgent: string | undefined; clientHint: string | undefined },
  trace?: DecisionTrace,
): Visitor {
  const { userAgent = '', clientHint = '' } = headers;
  if (trace || userAgent.length > longestKept || clientHint.length > longestHintRead)
    return judge(userAgent, clientHint, trace);
  // No header holds a line break, so that no two pairs share a key.
  const key = `${clientHint}\n${userAgent}`;
  let visitor = known.get(key);
  if (!visitor) known.set(key, (visitor = judge(userAgent, clientHint)));
  return visitor;
}

/** Where one of our pages has found out that the Macintosh is an iPad, it goes the way of iOS. */
export function resolveIpad(visitor: Visitor, via: string | null, trace?: DecisionTrace): Visitor {
  if (!visitor.macintosh) return visitor;
  const isIpad = via === 'ipad' || via === 'ipad-page';
  trace?.('ipad', isIpad ? 'found_out' : 'may_be_ipad');
  return isIpad ? { ...visitor, platform: 'ios' } : visitor;
}

function judge(wholeUserAgent: string, wholeHint: string, trace?: DecisionTrace): Visitor {
  const userAgent = wholeUserAgent.slice(0, longestRead);
  const stated = wholeHint.slice(0, longestHintRead).replaceAll('"', '').trim().toLowerCase();
  const hint = stated === 'unknown' ? '' : stated;
  const evidence = evidenceIn(userAgent, hint);
  trace?.('platform', evidence);
  const platform = platformBy[evidence];
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
