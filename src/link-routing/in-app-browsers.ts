interface App {
  name: string;
  /** Tokens that the app adds to the user agent of its web view; absent if it adds none. */
  tokens?: string;
  /** Packages on Android, which web views send in `X-Requested-With`. */
  packages?: string[];
}

/**
 * Apps whose web views open links: messengers, feeds and programs for work. Universal links and app links do not open apps from a web view.
 *
 * Apps that use `SFSafariViewController` or Custom Tabs send the user agent of Safari or Chrome and cannot be detected. X on
 * new iPhones is among them. The list omits the Google app (`GSA/`) and other search apps, because they have tabs and an address
 * bar like a browser.
 */
const apps: readonly App[] = [
  // First, because it also sends Facebook's tokens
  {
    name: 'Messenger',
    tokens: 'Messenger(?:Lite)?ForiOS\\b|Orca-Android\\b|FBAN/Orca',
    packages: ['com.facebook.orca', 'com.facebook.mlite'],
  },
  { name: 'Workplace', tokens: 'WorkForiOS\\b|FB_IAB/Work', packages: ['com.facebook.work', 'com.facebook.workchat'] },
  // `[FBAN/FBIOS;FBAV/…]`, `[FB_IAB/FB4A;FBAV/…]`, recently `MetaIAB`
  {
    name: 'Facebook',
    tokens: 'FB(?:AN|AV|_IAB)/|FB(?:IOS|4A)\\b|MetaIAB\\b',
    packages: ['com.facebook.katana', 'com.facebook.lite'],
  },
  {
    name: 'Instagram',
    tokens: 'Instagram(?: ?Lite)? [0-9]',
    packages: ['com.instagram.android', 'com.instagram.lite'],
  },
  { name: 'Threads', tokens: 'Barcelona [0-9]', packages: ['com.instagram.barcelona'] },
  // `[WAiOS/2.25.31]`. The user agent of a preview starts with `WhatsApp/`.
  {
    name: 'WhatsApp',
    tokens: '\\[WA[A-Za-z0-9]{0,20}/[0-9]|WhatsApp/[0-9]',
    packages: ['com.whatsapp', 'com.whatsapp.w4b'],
  },
  // Includes former and regional names, and TikTok Lite
  {
    name: 'TikTok',
    tokens: 'musical_ly|musically_|BytedanceWebview|trill_|TikTok[ /][0-9]|AppName/(?:tiktok|trill)',
    packages: [
      'com.zhiliaoapp.musically',
      'com.zhiliaoapp.musically.go',
      'com.ss.android.ugc.trill',
      'com.tiktok.lite.go',
    ],
  },
  { name: 'Douyin', tokens: 'aweme_', packages: ['com.ss.android.ugc.aweme', 'com.ss.android.ugc.aweme.lite'] },
  // Android sends no space before it: `Safari/537.36Snapchat12.58.0.56`
  { name: 'Snapchat', tokens: 'Snapchat/?[0-9]', packages: ['com.snapchat.android'] },
  { name: 'Pinterest', tokens: '\\[Pinterest/|Pinterest for ', packages: ['com.pinterest'] },
  { name: 'LinkedIn', tokens: 'LinkedInApp', packages: ['com.linkedin.android', 'com.linkedin.android.lite'] },
  { name: 'X', tokens: 'Twitter for i|TwitterAndroid', packages: ['com.twitter.android', 'com.twitter.android.lite'] },
  { name: 'Reddit', tokens: 'Reddit/', packages: ['com.reddit.frontpage'] },
  // BotWebViewContainer in github.com/DrKLO/Telegram
  {
    name: 'Telegram',
    tokens: 'Telegram-(?:Android|iOS)/',
    packages: ['org.telegram.messenger', 'org.telegram.messenger.web', 'org.thunderdog.challegram'],
  },
  // `line-poker` is its crawler
  { name: 'Line', tokens: 'Line/[0-9]', packages: ['jp.naver.line.android', 'com.linecorp.linelite'] },
  // Before WeChat, because it also sends its token
  { name: 'WeCom', tokens: 'wxwork/', packages: ['com.tencent.wework'] },
  { name: 'WeChat', tokens: 'MicroMessenger/', packages: ['com.tencent.mm'] },
  { name: 'KakaoTalk', tokens: 'KAKAOTALK\\b', packages: ['com.kakao.talk'] },
  { name: 'KakaoStory', tokens: 'KAKAOSTORY\\b', packages: ['com.kakao.story'] },
  { name: 'Band', tokens: 'BAND/[0-9]', packages: ['com.nhn.android.band'] },
  { name: 'Daum', tokens: 'DaumApps/', packages: ['net.daum.android.daum'] },
  // The messenger; `MQQBrowser/` is a browser
  { name: 'QQ', tokens: 'QQ/[0-9]', packages: ['com.tencent.mobileqq'] },
  { name: 'Qzone', tokens: 'Qzone/', packages: ['com.qzone'] },
  { name: 'Weibo', tokens: '_weibo__|Weibo \\(', packages: ['com.sina.weibo'] },
  { name: 'Xiaohongshu', tokens: 'xhsdiscover|xiaohongshu/|XHS/', packages: ['com.xingin.xhs'] },
  {
    name: 'Kuaishou',
    tokens: 'Kwai(?:_Lite)?/|Kuaishou/|ksNebula/',
    packages: ['com.smile.gifmaker', 'com.kuaishou.nebula', 'com.kwai.video'],
  },
  { name: 'Bilibili', tokens: 'BiliApp/|bili-inter/', packages: ['tv.danmaku.bili'] },
  { name: 'Zhihu', tokens: 'ZhihuHybrid|com\\.zhihu\\.android/', packages: ['com.zhihu.android'] },
  { name: 'Tieba', tokens: 'tieba/[0-9]', packages: ['com.baidu.tieba'] },
  { name: 'Naver', tokens: 'NAVER\\(inapp', packages: ['com.nhn.android.search'] },
  { name: 'Yahoo Japan', tokens: 'YJApp-(?:ANDROID|IOS)\\b', packages: ['jp.co.yahoo.android.yjtop'] },
  { name: 'SmartNews', tokens: 'SmartNews/[0-9]', packages: ['jp.gocro.smartnews.android'] },
  { name: 'Flipboard', tokens: 'Flipboard(?:-Briefing)?/[0-9]', packages: ['flipboard.app', 'flipboard.boxer.app'] },
  { name: 'Google News', tokens: 'GNews (?:Android|iOS)/', packages: ['com.google.android.apps.magazines'] },
  { name: 'NewsBreak', tokens: 'NewsBreak/[0-9]', packages: ['com.particlenews.newsbreak'] },
  { name: 'Dailyhunt', tokens: 'Dailyhunt/[0-9]', packages: ['com.eterno'] },
  { name: 'ShareChat', tokens: 'ShareChat/[0-9]', packages: ['in.mohalla.sharechat'] },
  // Other apps of Alibaba send `AliApp(` with their own letters
  { name: 'Alipay', tokens: 'AliApp\\(AP/', packages: ['com.eg.android.AlipayGphone'] },
  { name: 'DingTalk', tokens: 'DingTalk/[0-9]|AliApp\\(DingTalk/', packages: ['com.alibaba.android.rimet'] },
  { name: 'Lark', tokens: '(?:Lark|Feishu)/[0-9]', packages: ['com.ss.android.lark', 'com.larksuite.suite'] },
  {
    name: 'Toutiao',
    tokens: 'NewsArticle/[0-9]',
    packages: ['com.ss.android.article.news', 'com.ss.android.article.lite'],
  },
  { name: 'Zalo', tokens: 'Zalo ?(?:iOS|android)\\b', packages: ['com.zing.zalo'] },
  { name: 'Viber', tokens: 'Viber(?:/[0-9]|$)', packages: ['com.viber.voip'] },
  { name: 'imo', tokens: 'imo(?:android|ios)?/[0-9]', packages: ['com.imo.android.imoim'] },
  { name: 'Kik', tokens: 'Kik/[0-9]', packages: ['kik.android'] },
  { name: 'VK', tokens: 'VKAndroidApp/|com\\.vk\\.vkclient/', packages: ['com.vkontakte.android'] },
  { name: 'OK', tokens: 'OKAndroid/|OKiOS/|OdklApp/', packages: ['ru.ok.android'] },
  { name: 'Quora', tokens: 'Quora/[0-9]', packages: ['com.quora.android'] },
  { name: 'Tumblr', tokens: 'Tumblr/[0-9]', packages: ['com.tumblr'] },
  { name: 'Nextdoor', tokens: 'Nextdoor/', packages: ['com.nextdoor'] },
  { name: 'Twitch', tokens: 'Twitch/[0-9]', packages: ['tv.twitch.android.app'] },
  { name: 'Bluesky', tokens: 'Bluesky/[0-9]', packages: ['xyz.blueskyweb.app'] },
  { name: 'Truecaller', tokens: 'Truecaller/', packages: ['com.truecaller'] },
  // Programs for work and mail
  { name: 'Teams', tokens: 'TeamsMobile-|Teams/[0-9]', packages: ['com.microsoft.teams'] },
  { name: 'Skype', tokens: 'Skype(?:Mobile)?/[0-9]', packages: ['com.skype.raider'] },
  { name: 'Slack', tokens: 'Slack(?:_SSB)?/[0-9]', packages: ['com.Slack'] },
  { name: 'Discord', tokens: '[Dd]iscord(?:-(?:Android|iOS))?/[0-9]', packages: ['com.discord'] },
  { name: 'Zoom', tokens: 'ZoomWebKit|ZoomApps/|us\\.zoom\\.', packages: ['us.zoom.videomeetings'] },
  { name: 'Webex', tokens: 'Webex(?:Teams)?/', packages: ['com.cisco.wx2.android', 'com.cisco.webex.meetings'] },
  { name: 'Notion', tokens: 'Notion(?:Mobile)?/[0-9]', packages: ['notion.id'] },
  { name: 'Mattermost', tokens: 'Mattermost(?: Mobile)?/[0-9]', packages: ['com.mattermost.rn'] },
  { name: 'Rocket.Chat', tokens: 'Rocket\\.Chat', packages: ['chat.rocket.android'] },
  { name: 'Outlook', tokens: 'Outlook-(?:iOS|Android)/', packages: ['com.microsoft.office.outlook'] },
  { name: 'Gmail', packages: ['com.google.android.gm'] },
  { name: 'Google Chat', packages: ['com.google.android.apps.dynamite'] },
  { name: 'Yahoo Mail', packages: ['com.yahoo.mobile.client.android.mail'] },
];

// Apps add tokens behind digits without a space, but not behind letters.
const tokensOf = (tokens: string) => `(?<![A-Za-z])(?:${tokens})`;

const named = apps.flatMap(({ name, tokens }) => (tokens === undefined ? [] : [{ name, tokens }]));
const anyApp = new RegExp(tokensOf(named.map(({ tokens }) => tokens).join('|')));
const patterns = named.map(({ name, tokens }) => [name, new RegExp(tokensOf(tokens))] as const);

/**
 * Returns the app that contains the browser; null for any other user agent. A web view starts with `Mozilla/5.0`. A user
 * agent that starts with the app's name is the app itself, which fetches previews.
 */
export function inAppBrowserOf(userAgent: string): string | null {
  if (!/^Mozilla\/5\.0 \((?!compatible;)/.test(userAgent) || !anyApp.test(userAgent)) return null;
  return patterns.find(([, pattern]) => pattern.test(userAgent))![0];
}

const namesByPackage: ReadonlyMap<string, string> = new Map(
  apps.flatMap(({ name, packages = [] }) => packages.map((packageName) => [packageName, name] as const)),
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
