import type { BrowserName } from '../../shared/browser-names';

/**
 * Apps whose web views open links: messengers, feeds and programs for work. Universal links and app links do not open apps from a web view.
 *
 * Apps that use `SFSafariViewController` or Custom Tabs send the user agent of Safari or Chrome and cannot be detected. X on
 * new iPhones is among them. The list omits the Google app (`GSA/`) and other search apps, because they have tabs and an address
 * bar like a browser.
 *
 * `tokens` are what the app adds to the user agent of its web view; null if it adds nothing. `packages` are those on Android, which web
 * views send in `X-Requested-With`.
 */
const apps: readonly (readonly [name: BrowserName, tokens: string | null, ...packages: string[]])[] = [
  // First, because it also sends Facebook's tokens
  ['Messenger', 'Messenger(?:Lite)?ForiOS\\b|Orca-Android\\b|FBAN/Orca', 'com.facebook.orca', 'com.facebook.mlite'],
  ['Workplace', 'WorkForiOS\\b|FB_IAB/Work', 'com.facebook.work', 'com.facebook.workchat'],
  // `[FBAN/FBIOS;FBAV/…]`, `[FB_IAB/FB4A;FBAV/…]`, recently `MetaIAB`
  ['Facebook', 'FB(?:AN|AV|_IAB)/|FB(?:IOS|4A)\\b|MetaIAB\\b', 'com.facebook.katana', 'com.facebook.lite'],
  ['Instagram', 'Instagram(?: ?Lite)? [0-9]', 'com.instagram.android', 'com.instagram.lite'],
  ['Threads', 'Barcelona [0-9]', 'com.instagram.barcelona'],
  // `[WAiOS/2.25.31]`. The user agent of a preview starts with `WhatsApp/`.
  ['WhatsApp', '\\[WA[A-Za-z0-9]{0,20}/[0-9]|WhatsApp/[0-9]', 'com.whatsapp', 'com.whatsapp.w4b'],
  // Includes former and regional names, and TikTok Lite
  [
    'TikTok',
    'musical_ly|musically_|BytedanceWebview|trill_|TikTok[ /][0-9]|AppName/(?:tiktok|trill)',
    'com.zhiliaoapp.musically',
    'com.zhiliaoapp.musically.go',
    'com.ss.android.ugc.trill',
    'com.tiktok.lite.go',
  ],
  ['Douyin', 'aweme_', 'com.ss.android.ugc.aweme', 'com.ss.android.ugc.aweme.lite'],
  // Android sends no space before it: `Safari/537.36Snapchat12.58.0.56`
  ['Snapchat', 'Snapchat/?[0-9]', 'com.snapchat.android'],
  ['Pinterest', '\\[Pinterest/|Pinterest for ', 'com.pinterest'],
  ['LinkedIn', 'LinkedInApp', 'com.linkedin.android', 'com.linkedin.android.lite'],
  ['X', 'Twitter for i|TwitterAndroid', 'com.twitter.android', 'com.twitter.android.lite'],
  ['Reddit', 'Reddit/', 'com.reddit.frontpage'],
  // BotWebViewContainer in github.com/DrKLO/Telegram
  [
    'Telegram',
    'Telegram-(?:Android|iOS)/',
    'org.telegram.messenger',
    'org.telegram.messenger.web',
    'org.thunderdog.challegram',
  ],
  // `line-poker` is its crawler
  ['Line', 'Line/[0-9]', 'jp.naver.line.android', 'com.linecorp.linelite'],
  // Before WeChat, because it also sends its token
  ['WeCom', 'wxwork/', 'com.tencent.wework'],
  ['WeChat', 'MicroMessenger/', 'com.tencent.mm'],
  ['KakaoTalk', 'KAKAOTALK\\b', 'com.kakao.talk'],
  ['KakaoStory', 'KAKAOSTORY\\b', 'com.kakao.story'],
  ['Band', 'BAND/[0-9]', 'com.nhn.android.band'],
  ['Daum', 'DaumApps/', 'net.daum.android.daum'],
  // The messenger; `MQQBrowser/` is a browser
  ['QQ', 'QQ/[0-9]', 'com.tencent.mobileqq'],
  ['Qzone', 'Qzone/', 'com.qzone'],
  ['Weibo', '_weibo__|Weibo \\(', 'com.sina.weibo'],
  ['Xiaohongshu', 'xhsdiscover|xiaohongshu/|XHS/', 'com.xingin.xhs'],
  ['Kuaishou', 'Kwai(?:_Lite)?/|Kuaishou/|ksNebula/', 'com.smile.gifmaker', 'com.kuaishou.nebula', 'com.kwai.video'],
  ['Bilibili', 'BiliApp/|bili-inter/', 'tv.danmaku.bili'],
  ['Zhihu', 'ZhihuHybrid|com\\.zhihu\\.android/', 'com.zhihu.android'],
  ['Tieba', 'tieba/[0-9]', 'com.baidu.tieba'],
  ['Naver', 'NAVER\\(inapp', 'com.nhn.android.search'],
  ['Yahoo Japan', 'YJApp-(?:ANDROID|IOS)\\b', 'jp.co.yahoo.android.yjtop'],
  ['SmartNews', 'SmartNews/[0-9]', 'jp.gocro.smartnews.android'],
  ['Flipboard', 'Flipboard(?:-Briefing)?/[0-9]', 'flipboard.app', 'flipboard.boxer.app'],
  ['Google News', 'GNews (?:Android|iOS)/', 'com.google.android.apps.magazines'],
  ['NewsBreak', 'NewsBreak/[0-9]', 'com.particlenews.newsbreak'],
  ['Dailyhunt', 'Dailyhunt/[0-9]', 'com.eterno'],
  ['ShareChat', 'ShareChat/[0-9]', 'in.mohalla.sharechat'],
  // Other apps of Alibaba send `AliApp(` with their own letters
  ['Alipay', 'AliApp\\(AP/', 'com.eg.android.AlipayGphone'],
  ['DingTalk', 'DingTalk/[0-9]|AliApp\\(DingTalk/', 'com.alibaba.android.rimet'],
  ['Lark', '(?:Lark|Feishu)/[0-9]', 'com.ss.android.lark', 'com.larksuite.suite'],
  ['Toutiao', 'NewsArticle/[0-9]', 'com.ss.android.article.news', 'com.ss.android.article.lite'],
  ['Zalo', 'Zalo ?(?:iOS|android)\\b', 'com.zing.zalo'],
  ['Viber', 'Viber(?:/[0-9]|$)', 'com.viber.voip'],
  ['imo', 'imo(?:android|ios)?/[0-9]', 'com.imo.android.imoim'],
  ['Kik', 'Kik/[0-9]', 'kik.android'],
  ['VK', 'VKAndroidApp/|com\\.vk\\.vkclient/', 'com.vkontakte.android'],
  ['OK', 'OKAndroid/|OKiOS/|OdklApp/', 'ru.ok.android'],
  ['Quora', 'Quora/[0-9]', 'com.quora.android'],
  ['Tumblr', 'Tumblr/[0-9]', 'com.tumblr'],
  ['Nextdoor', 'Nextdoor/', 'com.nextdoor'],
  ['Twitch', 'Twitch/[0-9]', 'tv.twitch.android.app'],
  ['Bluesky', 'Bluesky/[0-9]', 'xyz.blueskyweb.app'],
  ['Truecaller', 'Truecaller/', 'com.truecaller'],
  // Programs for work and mail
  ['Teams', 'TeamsMobile-|Teams/[0-9]', 'com.microsoft.teams'],
  ['Skype', 'Skype(?:Mobile)?/[0-9]', 'com.skype.raider'],
  ['Slack', 'Slack(?:_SSB)?/[0-9]', 'com.Slack'],
  ['Discord', '[Dd]iscord(?:-(?:Android|iOS))?/[0-9]', 'com.discord'],
  ['Zoom', 'ZoomWebKit|ZoomApps/|us\\.zoom\\.', 'us.zoom.videomeetings'],
  ['Webex', 'Webex(?:Teams)?/', 'com.cisco.wx2.android', 'com.cisco.webex.meetings'],
  ['Notion', 'Notion(?:Mobile)?/[0-9]', 'notion.id'],
  ['Mattermost', 'Mattermost(?: Mobile)?/[0-9]', 'com.mattermost.rn'],
  ['Rocket.Chat', 'Rocket\\.Chat', 'chat.rocket.android'],
  ['Outlook', 'Outlook-(?:iOS|Android)/', 'com.microsoft.office.outlook'],
  ['Gmail', null, 'com.google.android.gm'],
  ['Google Chat', null, 'com.google.android.apps.dynamite'],
  ['Yahoo Mail', null, 'com.yahoo.mobile.client.android.mail'],
];

// Apps add tokens behind digits without a space, but not behind letters.
const tokensOf = (tokens: string) => `(?<![A-Za-z])(?:${tokens})`;

const named = apps.flatMap(([name, tokens]) => (tokens === null ? [] : [[name, tokens] as const]));
const anyApp = new RegExp(tokensOf(named.map(([, tokens]) => tokens).join('|')));
const patterns = named.map(([name, tokens]) => [name, new RegExp(tokensOf(tokens))] as const);

/**
 * Returns the app that contains the browser; null for any other user agent. A web view starts with `Mozilla/5.0`. A user
 * agent that starts with the app's name is the app itself, which fetches previews.
 */
export function inAppBrowserOf(userAgent: string): string | null {
  if (!/^Mozilla\/5\.0 \((?!compatible;)/.test(userAgent) || !anyApp.test(userAgent)) return null;
  return patterns.find(([, pattern]) => pattern.test(userAgent))![0];
}

/** The longest user agent that is searched for a version. */
const maxUserAgentChars = 1024;

/**
 * Returns the major version of the app by its user agent; 0 if it states none. The apps of Meta that send `FBAV/` state it there, others behind
 * their name.
 */
export function appVersionOf(app: string, userAgent: string): number {
  const sent = userAgent.slice(0, maxUserAgentChars);
  const ofMeta = /\bFBAV\/([0-9]{1,4})\./.exec(sent);
  const pattern = patterns.find(([name]) => name === app)?.[1];
  const named = pattern?.exec(sent);
  // The pattern of some apps ends with the first digit of the version.
  const stated = ofMeta ?? (named && /^[^0-9]{0,30}([0-9]{1,4})\./.exec(sent.slice(named.index)));
  return Number(stated?.[1] ?? 0);
}

const namesByPackage: ReadonlyMap<string, string> = new Map(
  apps.flatMap(([name, , ...packages]) => packages.map((packageName) => [packageName, name] as const)),
);

/** An app that is not on the list. */
export const unlistedApp = '*';

const packageName = /^[A-Za-z][A-Za-z0-9_]{0,99}\.[A-Za-z0-9_.]{1,99}$/;

/** Browsers that are made of a web view, by words of their packages. */
const browserPackage =
  /browser|chrom|firefox|\.opera\.|duckduckgo|quicksearchbox|searchlite|mozilla|ecosia|brave|aloha|UCMobile|mark\.via|emmx|microsoft\.bing|yandex|baidu\.search|tencent\.mtt|transsion\.phoenix|puffin|ghostery|qwant|startpage|jio\.web|lineageos\.jelly|sogou\.activity/i;

/**
 * Returns the app that a web view of Android names in `X-Requested-With`: its name on the list, or `unlistedApp`. Returns an empty string
 * for a browser, for no package, and without the header. There are few results, because the header is forgeable and results are cached.
 */
export function embeddingAppOf(requestedWith: string | undefined): string {
  if (requestedWith === undefined) return '';
  const name = requestedWith.length <= 200 ? namesByPackage.get(requestedWith) : undefined;
  if (name !== undefined) return name;
  return packageName.test(requestedWith) && !browserPackage.test(requestedWith) ? unlistedApp : '';
}
