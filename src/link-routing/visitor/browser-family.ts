import { getParser } from 'bowser';
import type { BrowserFamily } from '../../shared/browser-names';

/** Maps names of `bowser` to reported families. Other names are dropped, because `bowser` derives them from arbitrary user agents. */
const browsers: ReadonlyMap<string, BrowserFamily> = new Map([
  ['Amazon Silk', 'Amazon Silk'],
  ['Android Browser', 'Android Browser'],
  ['Brave', 'Brave'],
  ['Chrome', 'Chrome'],
  ['Chromium', 'Chrome'],
  ['DuckDuckGo', 'DuckDuckGo'],
  ['Firefox', 'Firefox'],
  ['Focus', 'Firefox'],
  ['Google Search', 'Google app'],
  ['HeyTap Browser', 'HeyTap'],
  ['Internet Explorer', 'Internet Explorer'],
  ['LibreWolf', 'Firefox'],
  ['Microsoft Edge', 'Edge'],
  ['Miui', 'Mi Browser'],
  ['NAVER Whale Browser', 'Whale'],
  ['Opera', 'Opera'],
  ['Opera Coast', 'Opera'],
  ['Opera Touch', 'Opera'],
  ['Puffin', 'Puffin'],
  ['QQ Browser', 'QQ Browser'],
  ['QQ Browser Lite', 'QQ Browser'],
  ['Safari', 'Safari'],
  ['Samsung Internet for Android', 'Samsung Internet'],
  ['UC Browser', 'UC Browser'],
  ['Vivaldi', 'Vivaldi'],
  ['Vivo Browser', 'Vivo Browser'],
  ['WeChat', 'WeChat'],
  ['Yandex Browser', 'Yandex Browser'],
]);

/** Returns null for an unknown browser. Callers cache the result, because parsing takes a few microseconds. */
export function browserFamilyOf(userAgent: string): BrowserFamily | null {
  if (userAgent === '') return null; // bowser throws on an empty string
  if (userAgent.includes(' DuckDuckGo/')) return 'DuckDuckGo'; // bowser reports Chrome for it on Android
  return browsers.get(getParser(userAgent, true).getBrowserName()) ?? null;
}
