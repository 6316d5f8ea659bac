/**
 * What apps add to the user agent of the browser inside them. As a web view it hands no link to another app: universal
 * links and app links end in it.
 *
 * Apps that open links in the system's own view (`SFSafariViewController`, Custom Tabs) say what Safari or Chrome says and are not
 * told apart; X on new iPhones, Discord and Gmail are among them. WhatsApp has no browser. The Google app (`GSA/`) is left
 * out: to those who use it, it is their browser, with tabs and an address bar.
 * A web view of no name (`; wv`) is left out too: it may be inside the very app that the link belongs to.
 */
const names = [
  // Facebook and Messenger: `[FBAN/FBIOS;FBAV/…]`, `[FB_IAB/FB4A;FBAV/…]`, `FBAN/MessengerForiOS`, `FB_IAB/Orca-Android`, lately `MetaIAB`
  '\\bFB(?:AN|AV|_IAB)/',
  '\\bFB(?:IOS|4A)\\b',
  '\\bMetaIAB\\b',
  '\\bInstagram [0-9]',
  // Threads
  '\\bBarcelona [0-9]',
  // TikTok, by its names of before and abroad, and Douyin
  'musical_ly',
  'BytedanceWebview',
  '\\btrill_',
  '\\bTikTok[ /][0-9]',
  '\\baweme_',
  // Snapchat on Android adds its name without a space, as in `Safari/537.36Snapchat12.58.0.56`
  'Snapchat/?[0-9]',
  '\\[Pinterest/',
  'Pinterest for ',
  'LinkedInApp',
  // X
  'Twitter for i',
  'TwitterAndroid',
  '\\bReddit/',
  // Telegram: BotWebViewContainer in github.com/DrKLO/Telegram
  'Telegram-(?:Android|iOS)/',
  // Line; `line-poker` is its crawler
  '\\bLine/[0-9]',
  // WeChat
  'MicroMessenger/',
  '\\bKAKAOTALK\\b',
  // QQ, the messenger; `MQQBrowser/` is a browser
  '\\bQQ/[0-9]',
  '__weibo__|\\bWeibo \\(',
  'NAVER\\(inapp',
  '\\bZalo ?(?:iOS|android)\\b',
];

const inside = new RegExp(names.join('|'));

/**
 * Every web view calls itself first what its engine does. A user agent that begins with the app's name is the app itself,
 * which fetches previews and shows nobody a page.
 */
export function isInAppBrowser(userAgent: string): boolean {
  return userAgent.startsWith('Mozilla/5.0 (') && inside.test(userAgent);
}
