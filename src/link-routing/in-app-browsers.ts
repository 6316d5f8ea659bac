/**
 * Tokens that apps add to the user agent of their web view. Universal links and app links do not open apps from a web view.
 *
 * Apps that use `SFSafariViewController` or Custom Tabs send the user agent of Safari or Chrome and cannot be detected. X on
 * new iPhones, Discord and Gmail are among them. WhatsApp has no browser. The list omits the Google app (`GSA/`), because
 * it has tabs and an address bar like a browser. It omits unnamed web views (`; wv`), because one may belong to the app
 * that the link opens.
 */
const apps: readonly (readonly [name: string, pattern: string])[] = [
  // First, because it also sends Facebook's tokens
  ['Messenger', '\\bMessengerForiOS\\b|\\bOrca-Android\\b'],
  // `[FBAN/FBIOS;FBAV/…]`, `[FB_IAB/FB4A;FBAV/…]`, recently `MetaIAB`
  ['Facebook', '\\bFB(?:AN|AV|_IAB)/|\\bFB(?:IOS|4A)\\b|\\bMetaIAB\\b'],
  ['Instagram', '\\bInstagram [0-9]'],
  ['Threads', '\\bBarcelona [0-9]'],
  // Includes former and regional names
  ['TikTok', 'musical_ly|BytedanceWebview|\\btrill_|\\bTikTok[ /][0-9]'],
  ['Douyin', '\\baweme_'],
  // Android sends no space before it: `Safari/537.36Snapchat12.58.0.56`
  ['Snapchat', 'Snapchat/?[0-9]'],
  ['Pinterest', '\\[Pinterest/|Pinterest for '],
  ['LinkedIn', 'LinkedInApp'],
  ['X', 'Twitter for i|TwitterAndroid'],
  ['Reddit', '\\bReddit/'],
  // BotWebViewContainer in github.com/DrKLO/Telegram
  ['Telegram', 'Telegram-(?:Android|iOS)/'],
  // `line-poker` is its crawler
  ['Line', '\\bLine/[0-9]'],
  ['WeChat', 'MicroMessenger/'],
  ['KakaoTalk', '\\bKAKAOTALK\\b'],
  // The messenger; `MQQBrowser/` is a browser
  ['QQ', '\\bQQ/[0-9]'],
  ['Weibo', '__weibo__|\\bWeibo \\('],
  ['Naver', 'NAVER\\(inapp'],
  ['SmartNews', '\\bSmartNews/[0-9]'],
  // Other apps of Alibaba send `AliApp(` with their own letters
  ['Alipay', '\\bAliApp\\(AP/'],
  ['Toutiao', '\\bNewsArticle/[0-9]'],
  ['Zalo', '\\bZalo ?(?:iOS|android)\\b'],
];

const anyApp = new RegExp(apps.map(([, pattern]) => pattern).join('|'));
const patterns = apps.map(([name, pattern]) => [name, new RegExp(pattern)] as const);

/**
 * Returns the app that contains the browser; null for any other user agent. A web view starts with `Mozilla/5.0`. A user
 * agent that starts with the app's name is the app itself, which fetches previews.
 */
export function inAppBrowserOf(userAgent: string): string | null {
  if (!userAgent.startsWith('Mozilla/5.0 (') || !anyApp.test(userAgent)) return null;
  return patterns.find(([, pattern]) => pattern.test(userAgent))![0];
}
