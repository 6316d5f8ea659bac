/**
 * What apps add to the user agent of the browser inside them. As a web view it hands no link to another app: universal
 * links and app links end in it.
 *
 * Apps that open links in the system's own view (`SFSafariViewController`, Custom Tabs) say what Safari or Chrome says and are not
 * told apart; X on new iPhones, Discord and Gmail are among them. WhatsApp has no browser. The Google app (`GSA/`) is left
 * out: to those who use it, it is their browser, with tabs and an address bar.
 * A web view of no name (`; wv`) is left out too: it may be inside the very app that the link belongs to.
 */
const apps: readonly (readonly [name: string, pattern: string])[] = [
  // As Facebook does, and by names of its own, so it goes first
  ['Messenger', '\\bMessengerForiOS\\b|\\bOrca-Android\\b'],
  // `[FBAN/FBIOS;FBAV/…]`, `[FB_IAB/FB4A;FBAV/…]`, lately `MetaIAB`
  ['Facebook', '\\bFB(?:AN|AV|_IAB)/|\\bFB(?:IOS|4A)\\b|\\bMetaIAB\\b'],
  ['Instagram', '\\bInstagram [0-9]'],
  ['Threads', '\\bBarcelona [0-9]'],
  // By its names of before and abroad
  ['TikTok', 'musical_ly|BytedanceWebview|\\btrill_|\\bTikTok[ /][0-9]'],
  ['Douyin', '\\baweme_'],
  // On Android without a space before it, as in `Safari/537.36Snapchat12.58.0.56`
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
  ['Zalo', '\\bZalo ?(?:iOS|android)\\b'],
];

const inside = new RegExp(apps.map(([, pattern]) => pattern).join('|'));
const each = apps.map(([name, pattern]) => [name, new RegExp(pattern)] as const);

/**
 * The app whose browser it is; null where it is none. Every web view calls itself first what its engine does. A user agent that
 * begins with the app's name is the app itself, which fetches previews and shows nobody a page.
 */
export function inAppBrowserOf(userAgent: string): string | null {
  if (!userAgent.startsWith('Mozilla/5.0 (') || !inside.test(userAgent)) return null;
  return each.find(([, pattern]) => pattern.test(userAgent))![0];
}
