import { getParser } from 'bowser';

/**
 * What `bowser` calls the browsers that people use, and what we do. It makes up a name out of any other user agent, which would
 * be names without end.
 */
const browsers: ReadonlyMap<string, string> = new Map([
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

/** Null where it is none that is well known. A few microseconds: to be remembered. */
export function browserFamilyOf(userAgent: string): string | null {
  if (userAgent === '') return null; // for which bowser throws
  if (userAgent.includes(' DuckDuckGo/')) return 'DuckDuckGo'; // on Android bowser takes it for Chrome
  return browsers.get(getParser(userAgent, true).getBrowserName()) ?? null;
}
