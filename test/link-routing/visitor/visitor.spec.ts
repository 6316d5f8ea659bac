import { browserFamilyOf } from '../../../src/link-routing/visitor/browser-family';
import { appVersionOf, embeddingAppOf, inAppBrowserOf } from '../../../src/link-routing/visitor/in-app-browsers';
import { type Platform, platformByEvidence, platformEvidence } from '../../../src/link-routing/visitor/device-platform';
import { isRobot } from '../../../src/link-routing/visitor/robots';
import { isSocialCrawler } from '../../../src/link-routing/visitor/social-crawlers';
import { asRobot, resolveIpad, visitorOf, type Visitor } from '../../../src/link-routing/visitor/visitor';
import { fc, runs } from '../../support/properties';
import { aVisitor } from '../builders';

const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0';
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${safari}`;
const webViewOnIphone = `${iphone} Mobile/15E148`;
const pixel = `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chrome} Mobile Safari/537.36`;
const webView = `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36`;
const harmonyNext =
  'Mozilla/5.0 (Phone; OpenHarmony 5.0; HarmonyOS 5.0) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser';
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Version/17.5 Safari/605.1.15`;
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`;

/** Splits a list of words, which have no comma. */
const words = (text: string): string[] => text.split(/,\s+/);

const visitor = (userAgent: string | undefined, clientHint?: string): Visitor => visitorOf({ userAgent, clientHint });

describe('platform', () => {
  test.each<[string, string | undefined, Platform]>([
    ['iPhone Safari', `${iphone} Version/17.5 Mobile/15E148 Safari/604.1`, 'ios'],
    ['iPad that says so', `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`, 'ios'],
    ['iPod', `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) ${safari} Mobile/16A`, 'ios'],
    ['Chrome on iPhone', `${iphone} CriOS/130.0 Mobile/15E148 Safari/604.1`, 'ios'],
    ['Chrome on iPad asking for desktop sites', mac.replace('Version', 'CriOS/130 Version'), 'ios'],
    ['the Google app on iPad asking for desktop sites', mac.replace('Version', 'GSA/439.4 Version'), 'ios'],
    ['Instagram on iPhone', `${webViewOnIphone} Instagram 330.0`, 'ios'],
    ['Facebook on iPhone', `${webViewOnIphone} [FBAN/FBIOS;FBAV/450]`, 'ios'],
    ['Chrome on a phone', pixel, 'android'],
    ['Chrome on a tablet', `Mozilla/5.0 (Linux; Android 13; SM-X700) ${chrome} Safari/537.36`, 'android'],
    ['Firefox on a phone', 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0', 'android'],
    ['the Google app on a phone', `${webView} GSA/15.30.31`, 'android'],
    ['Facebook on Android', `${webView} [FB_IAB/FB4A;FBAV/450]`, 'android'],
    ['Samsung Internet', pixel.replace('Chrome', 'SamsungBrowser/25.0 Chrome'), 'android'],
    ['Windows', windows, 'desktop'],
    ['macOS', mac, 'desktop'],
    ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'desktop'],
    ['ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'desktop'],
    ['Windows Phone in disguise', 'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft) like iPhone', 'desktop'],
    ['Android TV', `Mozilla/5.0 (Linux; Android 11; BRAVIA 4K VH2) ${chrome} Safari/537.36`, 'desktop'],
    ['Fire TV', `Mozilla/5.0 (Linux; Android 9; AFTMM) ${chrome} Safari/537.36`, 'desktop'],
    ...words(`SABA SMART TV, SmartTV, Google TV, Android TV, BRAVIA_ATV2, Fire TV, AFTT Build/LVY48F, CrKey armv7l 1.5.16041,
      Chromecast, HbbTV/1.5.1, NetCast, Tizen TV, Web0S, VIDAA/8.0, MiTV-AXSO2, MIBOX3, Nexus Player Build/MMB29T,
      ADT-3, BeyondTV 4K, UHD-TV 55, TVBOX, TV Stick 4K, Philips 4K TV, IPTV STB, Set-Top Box X1,
      MXQ-Pro-NEXBOX Build/MXQ, Ouya Console Build/JZO54L-OUYA, SkyworthTV, JioIPTV; wv, onn. 4K Streaming Box,
      AQUOS-TVE20A, MXQPRO, NEO_U1`).map((model): [string, string, Platform] => [
      `a television or box: ${model}`,
      `Mozilla/5.0 (Linux; Android 11; ${model}) ${chrome} Safari/537.36`,
      'desktop',
    ]),
    ...['SABA SMART TV', 'AFTKA', 'MiTV-AXSO2', 'Google TV'].map((model): [string, string, Platform] => [
      `a television that claims to be mobile: ${model}`,
      `Mozilla/5.0 (Linux; Android 11; ${model}) ${chrome} Mobile Safari/537.36`,
      'desktop',
    ]),
    ...words(`STV100-1 Build/LMY47V, i-mobile i-STYLE 7.8 DTV Build/i_style_7_8_DTV, NOOK BNTV250 Build/GINGERBREAD, Fit TV,
      LG-P713TV, ATV-1, Beatvibe, SM-A546B, OTTO, STBX, GTVibe, AQUOS sense4, DTV`).map(
      (model): [string, string, Platform] => [
        `a phone whose model has the letters: ${model}`,
        `Mozilla/5.0 (Linux; Android 11; ${model}) ${chrome} Mobile Safari/537.36`,
        'android',
      ],
    ),
    ['a television of Vewd', `Mozilla/5.0 (Linux) ${chrome} Safari/537.36 OPR/46.0 OMI/4.21 Model/Hisense`, 'desktop'],
    ['a games console', 'Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15', 'desktop'],
    ['a watch', `Mozilla/5.0 (Linux; Android 11; SM-R890) ${chrome} Mobile Safari/537.36`, 'desktop'],
    ['a headset', `Mozilla/5.0 (Linux; Android 12; Quest 2) ${chrome} OculusBrowser/33.0 Safari/537.36`, 'desktop'],
    ['Naver, whose web view names Crosswalk', `${webView} Crosswalk/27.102.0.21 NAVER(inapp; search; 1010)`, 'android'],
    ['a word with the letters of CrOS', `${webView} Microsoft Crossover/1.0`, 'android'],
    ['Opera Touch on Android', `${pixel} OPT/1.10.33`, 'android'],
    ['Opera Touch on iPad', `${mac} OPT/3.3.1`, 'ios'],
    ['Puffin on iPad', 'Mozilla/5.0 (X11; U; Linux x86_64; en-US) Chrome/30.0 Safari/537.36 Puffin/5.2.2IT', 'ios'],
    ['HarmonyOS NEXT, which runs no Android apps', harmonyNext, 'desktop'],
    ['HarmonyOS NEXT beside Android', `Mozilla/5.0 (Linux; Android 12; OpenHarmony 5.0) ${chrome}`, 'desktop'],
    ['HarmonyOS 4', `Mozilla/5.0 (Linux; HarmonyOS; NOH-AN00) ${chrome} HuaweiBrowser/13`, 'android'],
    ['HarmonyOS 4 beside Android', `Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-AN00) ${chrome}`, 'android'],
    ['a copy of an iPhone that runs Android', pixel.replace('Pixel 8', 'iPhone XS MAX Build/O11019'), 'android'],
    ['Fire TV with digits', `Mozilla/5.0 (Linux; Android 11; AFTJMST12) ${chrome} Safari/537.36`, 'desktop'],
    ['Fire TV with many digits', `Mozilla/5.0 (Linux; Android 9; AFTLFT962X3) ${chrome} Safari/537.36`, 'desktop'],
    ['Roku', 'Roku4640X/DVP-7.70 (297.70E04154A)', 'desktop'],
    ['LG', 'Mozilla/5.0 (Linux; Android 9) Safari/537.36 DMOST/2.0.0 (; LGE; webOSTV; WEBOS6.3.2)', 'desktop'],
    ['Xbox', 'Mozilla/5.0 (Linux; Android 9; XBOX_ONE_ED) like iOS', 'desktop'],
    ['Apple TV', 'AppleTV11,1/11.1 iOS/1', 'desktop'],
    ['a watch of Samsung', `Mozilla/5.0 (Linux; Android 11; SM-R890F) ${chrome} Mobile Safari/537.36`, 'desktop'],
    ['curl', 'curl/8.5.0', 'desktop'],
    ['nothing', undefined, 'desktop'],
    ['an empty header', '', 'desktop'],
  ])('%s', (_, userAgent, platform) => {
    expect(visitor(userAgent).platform).toBe(platform);
  });

  const desktopMode = `Mozilla/5.0 (X11; Linux x86_64) ${chrome}`;
  describe.each(['', '"Linux"'])('Android browsers that request desktop sites, with the hint %s', (hint) => {
    test.each([
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/30.0 Chrome/143.0.0.0 Safari/537.36',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.6367.179 Safari/537.36 OPR/76.2.4027.73374',
      'Opera/9.80 (Linux; Opera Mobi/ADR-1111101157; U; de) Presto/2.9.201 Version/11.50',
      'Mozilla/5.0 (X11; U; Linux i686; en-US) U2/1.0.0 UCBrowser/9.3.1.344',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/534.24 (KHTML, like Gecko) Chrome/71.0.3578.141 Safari/534.24 XiaoMi/MiuiBrowser/11.4.3-g',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.4.1 like Chrome/120.0 Safari/537.36',
      ...words(`OPR/86.0.0.0, OPT/2.9, UCBrowser/13.4.0.1306, HuaweiBrowser/14.0.2.311, VivoBrowser/14.0,
        HeyTapBrowser/45.10.5.1.1, OppoBrowser/15.5, DuckDuckGo/5, MQQBrowser/14.5, EdgA/130.0.0.0, GSA/15.30.31,
        Quark/7.4, Puffin/8.5.0.42207AP`).map((browser) => `${desktopMode} Safari/537.36 ${browser}`),
    ])('%s', (userAgent) => {
      expect(visitor(userAgent, hint).platform).toBe('android');
    });

    test.each([
      `${desktopMode} Safari/537.36`,
      ...words('OPR/114.0.0.0, Edg/130.0.0.0, Vivaldi/6.5, YaBrowser/24.10, NotSamsungBrowser/1').map(
        (browser) => `${desktopMode} Safari/537.36 ${browser}`,
      ),
      'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      `${desktopMode.replace(/Chrome.[0-9]+/, 'Chrome/130')} Safari/537.36 OPR/110.0.0.0`,
      'Mozilla/5.0 (X11; Linux x86_64) Presto/2.12 OPR/12.0',
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/76 TV Safari/537.36',
    ])('but not %s', (userAgent) => {
      expect(visitor(userAgent, hint).platform).toBe('desktop');
    });
  });

  test.each<[string, string | undefined]>([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) SamsungBrowser/30.0 Chrome/143 Safari/537.36', undefined],
    ['Mozilla/5.0 (X11; Linux x86_64) SamsungBrowser/30.0 Chrome/143 Safari/537.36', '"Windows"'],
  ])('a browser of Android that also exists for desktops: %s with the hint %s', (userAgent, hint) => {
    expect(visitor(userAgent, hint).platform).toBe('desktop');
  });

  // The names of devices and systems are parts of these words.
  test.each(
    words(`Aftonbladet/9, AFTERMATHS/1, Kiroku/1.0, Citizen/1.0, ASM-R8901/1, Windows Phones/1, Unlike iPhones/1,
      OldWindows NTFS/1`),
  )('the word %s decides nothing', (word) => {
    expect(visitor(`${webViewOnIphone} ${word}`).platform).toBe('ios');
    expect(visitor(`${webView} ${word}`).platform).toBe('android');
    expect(visitor(`${webView} ${word}`, '"Android"').platform).toBe('android');
  });

  test.each(['HarmonyOSlike/1', 'NonHarmonyOS/1'])('the word %s names no phone', (word) => {
    expect(visitor(`Mozilla/5.0 (X11) ${word}`).platform).toBe('desktop');
  });

  test.each<[string, string, Platform]>([
    ['"Android"', windows, 'android'],
    ['"iOS"', mac, 'ios'],
    ['"Windows"', pixel, 'desktop'],
    ['"macOS"', iphone, 'desktop'],
    ['"Linux"', pixel, 'desktop'],
    ['"Chrome OS"', pixel, 'desktop'],
    ['"Unknown"', iphone, 'ios'],
    ['', pixel, 'android'],
    ['""', pixel, 'android'],
    [' "android" ', windows, 'android'],
    ['"Android"', `Mozilla/5.0 (Linux; Android 11; BRAVIA 4K) ${chrome}`, 'desktop'],
    ['"Android"', 'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) Edge/15', 'desktop'],
    ['"Android"', `Mozilla/5.0 (Phone; OpenHarmony 5.0; HarmonyOS 5.0) ${chrome}`, 'desktop'],
    ['x'.repeat(8192), pixel, 'desktop'],
  ])('the client hint %.20s takes precedence over "%.40s"', (clientHint, userAgent, platform) => {
    expect(visitor(userAgent, clientHint).platform).toBe(platform);
  });
});

const messages =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0';

describe('social crawlers', () => {
  test.each<readonly [string, string]>([
    ['Messages of Apple', messages],
    ['Signal', 'WhatsApp/2'],
    ['Pinterest', 'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)'],
    ['Bluesky', chrome.replace('Gecko', 'Gecko; compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app')],
    ['Google Chat', `${windows} Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)`],
    ['Line', 'facebookexternalhit/1.1;line-poker/1.0'],
    ['KakaoTalk', 'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984'],
    ['Mastodon, older', 'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.example/)'],
    ['TikTok', 'Mozilla/5.0 (Linux; Android 5.0) (compatible; TikTokSpider; ttspider-feedback@tiktok.com)'],
    ['Discourse', 'Discourse Forum Onebox v3.4.0'],
    ['Notion', 'Notion/1.0'],
    ['Naver', 'acebookexternalhit/1.1 (compatible; Blueno/1.0; +http://naver.me/scrap)'],
    ['Dendrite', 'Dendrite/0.13.8'],
    // Programs that no list has, and servers of the fediverse.
    ...words(`Example Onebox/2, ExampleUnfurl/1.0, example-unfurler/1.0 (+https://example.com),
      Mozilla/5.0 (compatible; ExampleLinkPreview/1.0; +https://example.com), Bitrix link preview,
      BufferLinkPreviewBot/1.0 (+https://scraper.buffer.com/about/bots/link-preview-bot),
      Mozilla/5.0 (compatible; ZulipURLPreview/9.4; +https://example.com), Example-Link-Expander, ExampleEmbed/1.0,
      example-oembed 2, OpenGraphBot/1.0, EvernoteRichLinkBot/1.0 (+https://evernote.com), CodaBot/1.0,
      HatenaBookmark/4.0 (Hatena::Bookmark; Analyzer), Asana/1.4.0 WebsiteMetadataRetriever,
      Pleroma 2.6.2; https://pleroma.example <admin@pleroma.example>,
      Akkoma 3.13.2-0-g050bc74; https://akkoma.example <>, Misskey/2024.11.0 (https://misskey.example),
      Firefish/1.0.5 (https://firefish.example), Sharkey/2024.9.4 (https://sharkey.example),
      Iceshrimp.NET/2024.1 (+https://iceshrimp.example/), PeerTube/6.3.3 (+https://peertube.example),
      Friendica 'Yellow Archangel' 2024.08-1571; https://friendica.example, gotosocial/0.17.3 (+https://gts.example),
      (Pixelfed/0.12.4; +https://pixelfed.example), Hubzilla/9.4 (+https://hub.example/),
      Mbin/1.7.4 (+https://mbin.example/agent)`).map((userAgent) => [userAgent.split('/')[0]!, userAgent] as const),
    // Only one token; current versions send two.
    ['Telegram', 'TelegramBot'],
    ['Pinterest', 'Mozilla/5.0 (compatible; Pinterestbot/1.0)'],
    ['Bluesky', 'Bluesky Cardyb/1.1'],
    ['Google Messages', `${pixel} Google-PageRenderer`],
    ['Google+, once', `${windows} Google (+https://developers.google.com/+/web/snippet/)`],
    ['one that `isbot` does not know', `${windows} vkShare`],
    ['in small letters', 'twitterbot/1.0'],
  ])('%s', (_, userAgent) => {
    expect(visitor(userAgent)).toMatchObject({ socialCrawler: true, robot: true, inAppBrowser: false });
  });

  test.each([
    ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Google, as a phone', `${pixel} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`],
    ['Bing', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['Apple', `${mac} (Applebot/0.1; +http://www.apple.com/go/applebot)`],
    ['Meta, for its language models', 'meta-externalagent/1.1'],
    ['Meta, for advertisements', 'meta-externalads/1.1'],
    ["Snapchat's app, which shows no page", 'Snapchat/10.12.0.2 (iPhone8,1; iOS 10.3.2; gzip)'],
    ['a headless browser', `Mozilla/5.0 (X11; Linux x86_64) ${safari} HeadlessChrome/130.0.0.0 Safari/537.36`],
    ['Bing, for thumbnails', 'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ BingPreview/1.0b'],
    ['Google, for thumbnails', `${windows} Google Web Preview`],
    ['a robot of a wrong spelling', 'Mozilla/5.0 (compatible; Mastodons/4.3.0; +https://example.com/bot)'],
    ['curl', 'curl/8.5.0'],
    ['Node', 'node'],
  ])('%s is a robot, but no social crawler', (_, userAgent) => {
    expect(visitor(userAgent)).toMatchObject({ socialCrawler: false, robot: true, inAppBrowser: false });
  });
});

test.each([
  `${windows} Embedded Web Browser`,
  `${windows} Notion/2.0.9 Electron/30`,
  `${webView} Mastodon/4.3.0`,
  `${webView} LinkPreview/1`,
  `${webView} Embed/1`,
  `${webViewOnIphone} Unfurl/1`,
  `${webViewOnIphone} Onebox/1`,
])('no social crawler: %s', (userAgent) => {
  expect(visitor(userAgent)).toMatchObject({ socialCrawler: false, robot: false });
});

describe('models of phones', () => {
  const chromeOn = (model: string) => `Mozilla/5.0 (Linux; Android 7.0; ${model}) ${chrome} Mobile Safari/537.36`;
  const models = [
    ...words(`M bot 60 Build/NRD90M, M bot 60 Build/NRD90M; wv, M_bot_tab_1150 Build/N9F27F, POWER BOT Build/MRA58K,
      ID bot 53+ Build/NRD90M, S308 Build/CUBOT, CUBOT/1, Discovery 1000c Build/LMY47V,
      Google Nexus 4 - 4.3 - API 18 - 768x1280 Build/JLS36G, Spider Crawler X`),
    'Acer Chromebook R11 (CB5-132T, bot) Build/R78-12499.51.0; wv',
  ];

  test.each([
    ...models.map(chromeOn),
    'Mozilla/5.0 (iPhone5,2; iPhone; U; CPU OS 7_1 like Mac OS X) com.google.GooglePlus/33839 (KHTML, like Gecko) Mobile/N42AP (gzip)',
    'Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0; HTC; Radar 4G)',
    'Mozilla/5.0 (SAMSUNG; SAMSUNG-GT-S8500/S8500XXJF4; U; Bada/1.0; fr-fr) AppleWebKit/533.1 (KHTML, like Gecko) Dolfin/2.0 Mobile',
    'SonyEricssonJ105i/R1x Browser/NetFront/3.4 Profile/MIDP-2.1 Configuration/CLDC-1.1 JavaPlatform/JP-8.4',
    'AndroidDownloadManager/7.0 (Linux; U; Android 7.0; LG-F800S Build/NRD90M)',
    `User-Agent: ${chromeOn('STV100-1 Build/LMY47V; wv')}`,
    // Apps of Alibaba, whose words `isbot` takes for those of robots.
    `${chromeOn('SM-A520F; wv')} AliApp(LA/6.96.0) WindVane/8.3.0 1080X1920 Lazada-search (http 1.1, monitor)`,
    `Mozilla/5.0 (Linux; U; Android 10; zh-CN; V1990A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0 UWS/3.22 Mobile Safari/537.36 AliApp(TB/9.9.1) UCBS/2.11.1 TTID/600000@taobao_android WindVane/8.5.0 (nt:WIFI,ws:360|0|3.0) scan`,
  ])('belong to people: %s', (userAgent) => {
    expect(visitor(userAgent)).toMatchObject({ robot: false, socialCrawler: false });
  });

  test.each([
    ...models.map((model) => `${chromeOn(model)} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`),
    `${pixel} (compatible; AhrefsSiteAudit/6.1)`,
    `${pixel} (compatible; Example/1.0)`,
    `${pixel} Chrome-Lighthouse`,
    `${pixel} GTmetrix`,
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; TikTokSpider; ttspider-feedback@tiktok.com)',
    chromeOn('Pixel 2 Build/OPD3.170816.012; Storebot-Google/1.0'),
    chromeOn('Pixel 2; DuplexWeb-Google/1.0'),
    'Mozilla/5.0 (iPhone; U; CPU iPhone OS 3_0 like Mac OS X; en-us; EasouSpider; +http://www.easou.com/search/spider.html)',
    'SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 Configuration/CLDC-1.1 (compatible; Googlebot-Mobile/2.1)',
    'Mozilla/5.0 (compatible; Examplebot/1.0; Android)',
    'Examplebot/1.0 (Linux; Android 10)',
  ])('are imitated by robots: %s', (userAgent) => {
    expect(visitor(userAgent).robot).toBe(true);
  });
});

describe('web views of phones', () => {
  test.each([
    ...words(`EveningNews/4.2, Search/1.0, com.example.reader.url, Monitor ServerTools/2 check, Library/2.1 (http 1.1),
      CUBOT KING, Robotics/3, PreviewApp/1, Synthetica/2, Channel/google-play`),
    'Shop/5 (nt:WIFI,ws:414|672|3.0)',
  ])('with the addition %s belong to people', (addition) => {
    for (const start of [webViewOnIphone, webViewOnIphone.replaceAll('iPhone;', 'iPad;'), webView])
      expect(visitor(`${start} ${addition}`)).toMatchObject({ robot: false, inAppBrowser: false });
  });

  test.each(
    words(`(compatible; Googlebot/2.1; +http://www.google.com/bot.html),
      (compatible; AdsBot-Google-Mobile; +http://www.google.com/mobile/adsbot.html),
      (compatible; Mediapartners-Google/2.1), (compatible; Google-InspectionTool/1.0;), Storebot-Google/1.0,
      (compatible; GoogleOther), (compatible; Google-Read-Aloud), Chrome-Lighthouse, HeadlessChrome/130.0.0.0,
      Google Page Speed Insights, PTST/240101.000000, BingPreview/1.0b, (compatible; Baiduspider-render/2.0),
      (compatible; Bytespider), facebookexternalhit/1.1, meta-externalagent/1.1, Hotjar, AhrefsSiteAudit/6.1,
      APIs-Google (+https://developers.google.com/webmasters/APIs-Google.html), Google-Safety,
      RuxitSynthetic/1.0 v8913312512 t6703941201591042144 athfa3c3975, NewRelicSynthetics/1.0, DatadogSynthetics,
      Site24x7, StatusCake, Catchpoint, SpeedCurve/1.0, PhantomJS/2.1.1,
      (compatible; HyScore/1.0; +https://hyscore.io/about/), (compatible; OnCrawl/1.0)`),
  )('are imitated by robots: %s', (addition) => {
    for (const start of [`${iphone} Version/17.5 Mobile/15E148 Safari/604.1`, webView])
      expect(visitor(`${start} ${addition}`)).toMatchObject({ robot: true, browser: null });
  });
});

describe('in-app browsers', () => {
  test.each<[string, string, Platform]>([
    ['Instagram', `${webViewOnIphone} Instagram 330.0.3.29.91 (iPhone15,2; iOS 17_5; en_US; scale=3.00)`, 'ios'],
    ['Instagram', `${webView} Instagram 330.0.0.40.92 Android (34/14; 420dpi; 1080x2205; Pixel 8)`, 'android'],
    ['Facebook', `${webViewOnIphone} [FBAN/FBIOS;FBAV/450.0.0;FBDV/iPhone15,2;FBSN/iOS]`, 'ios'],
    ['Facebook', `${webView} [FB_IAB/FB4A;FBAV/450.0.0.40.107;]`, 'android'],
    ['Facebook, made by a maker of robots', `${webView} [FBAN/FB4A;FBAV/450.0;FBMF/Google;FBBD/google;]`, 'android'],
    ['Facebook, lately', `${webView} MetaIAB Facebook`, 'android'],
    ['Facebook, in short', `${webViewOnIphone} [FBIOS;450.0]`, 'ios'],
    ['Facebook, in short', `${webView} [FB4A;450.0]`, 'android'],
    ['Messenger', `${webViewOnIphone} [FBAN/MessengerForiOS;FBAV/450.0.0]`, 'ios'],
    ['Messenger', `${webView} [FB_IAB/Orca-Android;FBAV/450.0.0;]`, 'android'],
    ['Threads', `${webView} Barcelona 448.0.0.54.85 Android (36/16; 540dpi; 1080x2340; samsung)`, 'android'],
    ['TikTok', `${webViewOnIphone} musical_ly_32.5.0 JsSdk/2.0 NetType/WIFI BytedanceWebview/d8a21c6`, 'ios'],
    ['TikTok, once', `${webViewOnIphone} musical_ly_9.1.0`, 'ios'],
    ['TikTok, lately', `${webView} TikTok 34.5.0`, 'android'],
    ['TikTok, without its name', `${webView} BytedanceWebview/d8a21c6`, 'android'],
    ['Douyin', `${webViewOnIphone} aweme_28.0.0 JsSdk/2.0`, 'ios'],
    ['Snapchat', `${webView}Snapchat12.58.0.56 (Pixel 8; Android 14#1234#34; gzip; )`, 'android'],
    ['Pinterest', `${webView} [Pinterest/Android]`, 'android'],
    ['Pinterest, older', `${webView} Pinterest for Android/7.5`, 'android'],
    ['LinkedIn', `${webViewOnIphone} [LinkedInApp]/9.29.7537`, 'ios'],
    ['X', `${webViewOnIphone} Twitter for iPhone/10.13`, 'ios'],
    ['Reddit', `${webViewOnIphone} Reddit/Version 2024.20.0/Build 614973`, 'ios'],
    ['Telegram', `${webView} Telegram-Android/11.4.3 (Google Pixel 8; Android 14; SDK 34; HIGH)`, 'android'],
    ['Line', `${webViewOnIphone} Safari Line/14.7.0`, 'ios'],
    ['WeChat', `${webViewOnIphone} MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/en`, 'ios'],
    ['KakaoTalk', `${webViewOnIphone} KAKAOTALK 10.8.2`, 'ios'],
    ['QQ', `${webViewOnIphone} QQ/9.0.60.620 V1_IPH_SQ_9.0.60`, 'ios'],
    ['Weibo', `${webViewOnIphone} Weibo (iPhone15,2__weibo__14.5.0__iphone__os17.5)`, 'ios'],
    ['Naver', `${webViewOnIphone} NAVER(inapp; search; 2000; 12.6.2; 15PRO)`, 'ios'],
    ['SmartNews', `${webViewOnIphone} SmartNews/24.5.0`, 'ios'],
    ['Alipay', `${webViewOnIphone} Nebula AliApp(AP/10.5.86) AlipayClient/10.5.86 (nt:WIFI,ws:414|672|3.0)`, 'ios'],
    ['Alipay', `${pixel} UWS/3.22 Nebula AliApp(AP/10.5.86) AlipayClient/10.5.86 (ws:360|0|3.0)`, 'android'],
    ['Toutiao', `${webViewOnIphone} NewsArticle/7.8.9.36 JsSdk/2.0 NetType/WIFI (News 7.8.9 17.5)`, 'ios'],
    ['Toutiao', `${webView} JsSdk/2 NewsArticle/7.8.9 NetType/wifi (NewsLite 7.8.9)`, 'android'],
    ['Zalo', `${webView} Zalo android/12090678 ZaloTheme/light`, 'android'],
    ['WhatsApp', `${iphone} Version/26.0 Mobile/15E148 Safari/604.1 [WAiOS/2.25.31]`, 'ios'],
    ['WhatsApp', `${webView} [WA4A/2.25.31]`, 'android'],
    ['WhatsApp', `${webViewOnIphone} [WAiOSBusiness/2.25.31]`, 'ios'],
    ['WhatsApp', `${webView} WhatsApp/2.25.31.76 A`, 'android'],
    ['TikTok, without a space', `${webView}trill_400 JsSdk/1.0 Channel/googleplay AppName/musically_go`, 'android'],
    ['TikTok, Lite', `${webView} AppName/tiktok_lite app_version/40.0`, 'android'],
    ['Douyin, without a space', `${webView}aweme_230400 JsSdk/1.0`, 'android'],
    ['Instagram, without a space', `${webView}Instagram 343.0.0.33.101 Android`, 'android'],
    ['Messenger, Lite', `${webViewOnIphone} [FBAN/MessengerLiteForiOS;FBAV/450.0.0]`, 'ios'],
    ['Workplace', `${webViewOnIphone} [FBAN/WorkForiOS;FBAV/450.0.0]`, 'ios'],
    ['Teams', `${webView} TeamsMobile-Android`, 'android'],
    ['Slack', `${webView} Slack/25.11.20.0`, 'android'],
    ['Discord', `${webViewOnIphone} Discord/270.0`, 'ios'],
    ['Viber', `${webView} Viber/11.9.5.8`, 'android'],
    ['WeCom', `${webViewOnIphone} wxwork/2.1.5 MicroMessenger/6.3.22`, 'ios'],
    ['DingTalk', `${webView} AliApp(DingTalk/7.6.0) com.alibaba.android.rimet`, 'android'],
    ['Lark', `${webViewOnIphone} Lark/7.30.5 LarkLocale/en_US ChannelName/App_Store`, 'ios'],
    ['Flipboard', `${webView} Flipboard/4.2.24/4732,4.2.24.4732`, 'android'],
    ['Google News', `${webView} GNews Android/2022137898`, 'android'],
    ['Yahoo Japan', `${webView} YJApp-ANDROID jp.co.yahoo.android.yjtop/3.187.0`, 'android'],
    ['Kuaishou', `${webViewOnIphone} Kwai/11.2.10`, 'ios'],
    ['Band', `${webViewOnIphone} BAND/19.0.1 (iOS 17.5; iPhone15,2)`, 'ios'],
    ['VK', `${webView} VKAndroidApp/8.60-18000`, 'android'],
    ['Outlook', `${webViewOnIphone} Outlook-iOS/2.0`, 'ios'],
  ])('%s: a person in an app (%.0s%s)', (app, userAgent, platform) => {
    expect(visitor(userAgent)).toEqual(aVisitor(platform, { browser: app.split(',')[0]!, inAppBrowser: true }));
  });

  test.each<[string, string, string?]>([
    ['Safari', `${iphone} Version/17.5 Mobile/15E148 Safari/604.1`],
    ['Safari on a Mac', mac, 'Safari'],
    ['Chrome on iPhone', `${iphone} CriOS/130.0 Mobile/15E148 Safari/604.1`, 'Chrome'],
    ['Firefox on iPhone', `${iphone} FxiOS/130.0 Mobile/15E148 Safari/604.1`, 'Firefox'],
    ['Edge on iPhone', `${iphone} Version/17.0 EdgiOS/130.0 Mobile/15E148 Safari/604.1`, 'Edge'],
    ['the Google app', `${iphone} GSA/439.4.980558000 Mobile/15E148 Safari/604.1`, 'Google app'],
    ['Chrome', pixel],
    ['Firefox', 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0'],
    ['Samsung Internet', pixel.replace('Chrome', 'SamsungBrowser/30.0 Chrome')],
    ['DuckDuckGo', pixel.replace('Safari', 'DuckDuckGo/5 Safari')],
    ['QQ Browser', `${iphone} MQQBrowser/14.5 Mobile/15E148 Safari/604.1 QBWebViewUA/2`],
    ['a web view of no name', webView, 'Chrome'],
    ['one with the letters of Line', `${webView} Online/1`, 'Chrome'],
    ['one with the letters of Slack and TikTok', `${webView} NotSlack/1 xtrill_1 Beyondiscord/2`, 'Chrome'],
    ['Chrome on Windows', windows, 'Chrome'],
  ])('a person in a browser: %s', (name, userAgent, browser = name) => {
    expect(visitor(userAgent)).toMatchObject({ socialCrawler: false, robot: false, inAppBrowser: false, browser });
  });
});

describe('X-Requested-With', () => {
  const read = (userAgent: string, requestedWith: string, clientHint?: string) => {
    const { browser, inAppBrowser, robot } = visitorOf({ userAgent, clientHint, requestedWith });
    return [browser, inAppBrowser, robot];
  };
  const oldWebView = 'Mozilla/5.0 (Linux; U; Android 4.0.3; X) AppleWebKit/534.30 Version/4.0 Safari/534.30';

  test.each<[string, string, string, (string | boolean | null)[]]>([
    ['an app on the list', webView, 'com.whatsapp', ['WhatsApp', true, false]],
    ['an app with a way out', webView, 'org.telegram.messenger', ['Telegram', true, false]],
    ['an app that adds no token', webView, 'com.google.android.gm', ['Gmail', true, false]],
    ['another app', webView, 'com.example.reader', ['Chrome', true, false]],
    ['an older web view', webView.replace('; wv', ''), 'com.reddit.frontpage', ['Reddit', true, false]],
    ['an app that the user agent names differently', `${webView} LinkedInApp`, 'com.Slack', ['LinkedIn', true, false]],
    ['a browser made of a web view', webView, 'com.hsv.freeadblockerbrowser', ['Chrome', false, false]],
    ['HarmonyOS', webView.replace('Android 14', 'HarmonyOS'), 'com.tencent.mm', ['WeChat', true, false]],
    ['a browser without the word', webView, 'com.tencent.mtt', ['Chrome', false, false]],
    ['a browser of Opera', webView, 'com.opera.mini.native', ['Chrome', false, false]],
    ['an app with the letters of Opera', webView, 'br.com.cooperativa.app', ['Chrome', true, false]],
    ['a browser that has no family', `${webView} PHX/12.9`, 'com.example.reader', ['Chrome', false, false]],
    ['the Google app', `${webView} GSA/15.30.31`, 'com.google.android.googlequicksearchbox', ['Chrome', false, false]],
    ['a browser that names itself', `${webView} OPR/86.0`, 'com.example.app', ['Opera', false, false]],
    ['a script', webView, 'XMLHttpRequest', ['Chrome', false, false]],
    ['nothing', webView, '', ['Chrome', false, false]],
    ['no package', webView, '<script>.x', ['Chrome', false, false]],
    ['a long text', webView, `com.${'x'.repeat(10_000)}`, ['Chrome', false, false]],
    ['Chrome', pixel, 'com.whatsapp', ['Chrome', false, false]],
    ['the browser of an old system', oldWebView, 'com.reddit.frontpage', ['Reddit', true, false]],
    ['a user agent behind a word', `x ${webView}`, 'com.whatsapp', ['Chrome', false, false]],
    ['an iPhone', webViewOnIphone, 'com.whatsapp', ['Safari', false, false]],
    ['a desktop', windows, 'com.whatsapp', ['Chrome', false, false]],
    ['a robot', `${webView} (compatible; Googlebot/2.1)`, 'com.whatsapp', [null, false, true]],
    ['a preview', 'Slackbot 1.0 (+https://api.slack.com/robots)', 'com.Slack', [null, false, true]],
  ])('%s: %.0s%s', (_, userAgent, requestedWith, expected) => {
    expect(read(userAgent, requestedWith)).toEqual(expected);
    expect(read(userAgent, '')[1]).toBe(inAppBrowserOf(userAgent) !== null);
  });

  test.each(
    words(`KakaoStory=com.kakao.story, Daum=net.daum.android.daum, Qzone=com.qzone, Xiaohongshu=com.xingin.xhs,
      Bilibili=tv.danmaku.bili, Zhihu=com.zhihu.android, Tieba=com.baidu.tieba, NewsBreak=com.particlenews.newsbreak,
      Dailyhunt=com.eterno, ShareChat=in.mohalla.sharechat, imo=com.imo.android.imoim, Kik=kik.android,
      OK=ru.ok.android, Quora=com.quora.android, Tumblr=com.tumblr, Nextdoor=com.nextdoor,
      Twitch=tv.twitch.android.app, Bluesky=xyz.blueskyweb.app, Truecaller=com.truecaller, Skype=com.skype.raider,
      Zoom=us.zoom.videomeetings, Webex=com.cisco.wx2.android, Webex=com.cisco.webex.meetings, Notion=notion.id,
      Mattermost=com.mattermost.rn, Rocket.Chat=chat.rocket.android, Gmail=com.google.android.gm`),
  )('an app and its package: %s', (pair) => {
    const [name, packageName] = pair.split('=');
    expect(embeddingAppOf(packageName)).toBe(name);
  });

  test.each([
    ['com.google.android.apps.dynamite', 'Google Chat'],
    ['com.yahoo.mobile.client.android.mail', 'Yahoo Mail'],
    ['com.example.app', '*'],
    ['1com.example.app', ''],
    ['', ''],
    [undefined, ''],
  ])('the app of %s is %s', (packageName, name) => {
    expect(embeddingAppOf(packageName)).toBe(name);
  });

  test.each([
    ['Instagram', 'Instagram 312.0.1.22.114 Android', 312],
    ['Facebook', '[FBAN/EMA;FBAV/4500.0.0.1;]', 4500],
    ['Instagram', '[FBAV/45.0.0.1;] Instagram 312.0', 45],
    ['Telegram', 'Telegram-Android/10.14.5 (Samsung)', 10],
    ['Line', 'Line/14.1.0', 14],
    ['Line', 'Line/14', 0],
    ['Telegram', 'Line/14.1.0', 0],
    ['Gmail', 'Line/14.1.0', 0],
    ['*', 'Line/14.1.0', 0],
    ['Telegram', `Telegram-Android/${'x'.repeat(40)}10.1`, 0],
    ['Line', `${'x'.repeat(1024)} Line/14.1.0`, 0],
  ])('the version of %s in %s is %d', (app, tokens, version) => {
    expect(appVersionOf(app, tokens)).toBe(version);
  });

  test('arbitrary packages share few results, so that they cannot fill the cache', () => {
    const packages = Array.from({ length: 1000 }, (_, n) => `com.example.app${n}`);
    expect(new Set(packages.map(embeddingAppOf)).size).toBe(1);
    expect(
      new Set(packages.map((requestedWith) => visitorOf({ userAgent: webView, clientHint: '', requestedWith }))).size,
    ).toBe(1);
  });
});

test.each<[string, string | undefined, string | undefined, boolean]>([
  ['Safari on a Mac, or on an iPad', mac, undefined, true],
  ['Chrome on a Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36`, '"macOS"', true],
  ['a user agent of Macintosh under a stated other system', mac, '"Windows"', false],
  ['a user agent of Macintosh under a stated nothing', mac, '"Unknown"', true],
  ['an iPad that shows itself by its browser', `${mac} CriOS/130.0`, undefined, false],
  ['an iPhone, "like Mac OS X"', iphone, undefined, false],
  ['Windows', windows, undefined, false],
  ['nothing', undefined, undefined, false],
])('Macintosh: %s', (_, userAgent, clientHint, macintosh) => {
  expect(visitorOf({ userAgent, clientHint }).macintosh).toBe(macintosh);
});

const chromeOf = (model: string) => `Mozilla/5.0 (Linux; Android 10; ${model}) ${chrome} Mobile Safari/537.36`;
const browserOf = (model: string, name: string) => chromeOf(model).replace(' Mobile', ` ${name} Mobile`);
const samsungBrowser = 'SamsungBrowser/30.0';
test.each<[Visitor['androidStore'], string, string]>([
  ['appgallery', 'Huawei without Google', browserOf('JNY-LX2; HMSCore 6.9.0.302', 'HuaweiBrowser/12.1.3.304')],
  ['appgallery', 'HarmonyOS', browserOf('HarmonyOS; WLZ-AN00; HMSCore 6.1.0.314', 'HuaweiBrowser/11.1.5.320')],
  ['appgallery', 'a web view of HarmonyOS', chromeOf('HarmonyOS; NOH-AN00; wv')],
  [null, 'Huawei with Google', browserOf('ELE-L29; HMSCore 6.12.0; GMSCore 23.04.13', 'HuaweiBrowser/14.0.0')],
  [null, 'HarmonyOS with Google', browserOf('HarmonyOS; HMSCore 6.9.0; GMSCore 14.3.67', 'HuaweiBrowser/12')],
  [null, "Huawei's browser that names no services", browserOf('ELE-L29', 'HuaweiBrowser/10.0')],
  [null, 'Chrome on Huawei', chromeOf('VOG-L29')],
  [null, 'Honor', browserOf('PGT-AN10', 'HonorBrowser/6.0')],
  [null, 'HarmonyOS NEXT', harmonyNext],
  ['amazon', 'Silk', 'Mozilla/5.0 (Linux; Android 9; K) Silk/120.4.1 like Chrome/120.0 Safari/537.36'],
  ['amazon', 'Silk for desktop sites', 'Mozilla/5.0 (X11; Linux x86_64) Silk/120.4.1 like Chrome/120.0'],
  ['amazon', 'a web view of a Fire tablet', chromeOf('KFTRWI Build/PS7327; wv')],
  ['amazon', 'a Fire tablet', chromeOf('KFTT')],
  ['amazon', 'an old Fire tablet', 'Mozilla/5.0 (Linux; U; Android 2.3.4; en-us; Kindle Fire Build/GINGERBREAD)'],
  [null, 'Fire TV', chromeOf('AFTMM')],
  ['samsung', 'Samsung', chromeOf('SM-S918B')],
  ['samsung', 'an app on Samsung', chromeOf('SAMSUNG SM-G991B Build/TP1A; wv')],
  ['samsung', "Samsung's browser without a model", browserOf('K', samsungBrowser)],
  ['samsung', 'Samsung for desktop sites', `Mozilla/5.0 (X11; Linux x86_64) ${samsungBrowser} Chrome/143`],
  [null, "Samsung's browser on another phone", browserOf('Pixel 9', samsungBrowser)],
  [null, 'a watch of Samsung', chromeOf('SM-R890F')],
  [null, 'a model with one digit', chromeOf('SM-A1')],
  [null, "Samsung's browser behind a word", `x ${browserOf('K', samsungBrowser)}`],
  [null, 'Chrome without a model', chromeOf('K')],
  [null, 'an iPhone', `${iphone} Version/17.5 Mobile/15E148 Safari/604.1`],
  [null, 'a model that has letters of them', chromeOf('SKF12; AKFTT; XSM-G991')],
])('the store of the vendor is %s: %s', (store, _, userAgent) => {
  expect(visitor(userAgent).androidStore).toBe(store);
});

test.each([
  ['no headers', undefined, undefined],
  ['empty headers', '', ''],
  ['a name behind the first 1024 characters', `Mozilla/5.0 (${'x '.repeat(600)}) iPhone Instagram 3 Twitterbot`, ''],
])('%s', (_, userAgent, clientHint) => {
  expect(visitorOf({ userAgent, clientHint })).toEqual(aVisitor());
});

test('control characters are accepted', () => {
  expect(visitor('\0\x01\x7f\r\n\u2028').platform).toBe('desktop');
  expect(visitor(`\0${pixel}\x1b[31m`, '\0').platform).toBe('desktop');
  expect(visitor(`\0${pixel}\x1b[31m`).platform).toBe('android');
});

test('a request that no person made is one of a robot', () => {
  expect(asRobot(visitor(pixel))).toEqual({ ...visitor(pixel), robot: true, browser: null });
});

test('a visitor is frozen, because visits share it', () => {
  expect(() => (visitor(pixel).platform = 'ios')).toThrow(TypeError);
});

test('a cached visitor is the classified one', () => {
  const tokens = fc.constantFrom(
    ...words(`iPhone, iPad, Macintosh, Android, Windows NT 10.0, FBAN/FBIOS, Instagram 3, MetaIAB, Telegram-Android/1,
      Safari/604.1, Chrome/130.0, Version/17.5, Edg/130.0, Firefox/130.0, OPR/100, Mobile, Googlebot, Slackbot,
      facebookexternalhit/1.1, WhatsApp/2, compatible; bot, Xbox`),
    ...[' DuckDuckGo/7', ',', ''],
  );
  const userAgent = fc
    .tuple(fc.constantFrom('Mozilla/5.0 (', '', 'WhatsApp/2 '), fc.array(tokens, { maxLength: 4 }), fc.string())
    .map(([start, parts, end]) => `${start}${parts.join('; ')}) ${end}`);
  const clientHint = fc.constantFrom(undefined, '"iOS"', '"Android"', '"macOS"', '"Unknown"', 'x');
  const via = fc.constantFrom(null, 'ipad', 'page');
  fc.assert(
    fc.property(userAgent, clientHint, via, (text, hint, from) => {
      const headers = { userAgent: text, clientHint: hint };
      const traced = visitorOf(headers, () => {});
      for (const cached of [visitorOf(headers), visitorOf(headers)]) {
        expect(cached).toEqual(traced);
        expect(resolveIpad(cached, from)).toEqual(resolveIpad({ ...traced }, from, () => {}));
      }
      const app = inAppBrowserOf(text);
      const robot = app === null && (isSocialCrawler(text) || isRobot(text));
      const stated = (hint ?? '').replaceAll('"', '').toLowerCase();
      expect(traced).toMatchObject({
        platform: platformByEvidence[platformEvidence(text, stated === 'unknown' ? '' : stated)],
        robot,
        socialCrawler: app === null && isSocialCrawler(text),
        browser: robot ? null : (app ?? browserFamilyOf(text)),
        inAppBrowser: app !== null,
      });
      if (traced.macintosh && from === 'ipad')
        expect(resolveIpad(traced, from)).toEqual({ ...traced, platform: 'ios' });
    }),
    runs(2000),
  );
});

test.each([
  [false, 'ipad', 'desktop', []],
  [true, 'ipad', 'ios', ['found_out']],
  [true, 'ipad-page', 'ios', ['found_out']],
  [true, 'page', 'desktop', ['may_be_ipad']],
  [true, 'qr', 'desktop', ['may_be_ipad']],
  [true, null, 'desktop', ['may_be_ipad']],
] as const)('a Macintosh (%p) that came by %p is served as %s', (macintosh, via, platform, expected) => {
  const before: Visitor = { ...visitor(mac), macintosh };
  const findings: string[] = [];
  expect(resolveIpad(before, via, (rule, finding) => findings.push(`${rule}: ${finding}`))).toEqual({
    ...before,
    platform,
  });
  expect(findings).toEqual(expected.map((finding) => `ipad: ${finding}`));
  expect(resolveIpad(before, via)).toEqual({ ...before, platform });
});

test.each([
  ['Apple TV', `Mozilla/5.0 (Apple TV; CPU iPhone OS 17_5 like Mac OS X) ${safari}`],
  ['AppleTV', 'AppleTV11,1/11.1 iPhone'],
  ['Watch OS', `Mozilla/5.0 (Watch OS 10; iPhone) ${safari}`],
  ['watchOS', `Mozilla/5.0 (watchOS 10; iPhone) ${safari}`],
])('%s is not a phone', (_, userAgent) => {
  expect(visitor(userAgent).platform).toBe('desktop');
  expect(visitor(userAgent, '"Android"').platform).toBe('desktop');
});

test.each<[userAgent: string, clientHint: string | undefined, evidence: string]>([
  [pixel, '"iOS"', 'client_hint_ios'],
  [iphone, '"Android"', 'client_hint_android'],
  [pixel, '"Windows"', 'client_hint_other'],
  ['Roku', '"Android"', 'screen'],
  [windows, undefined, 'desktop_system'],
  [iphone, undefined, 'ios_device'],
  [pixel, undefined, 'android_device'],
  ['x FBIOS', undefined, 'ios_words'],
  ['Shop/1 (Samsung; Android 14)', undefined, 'android_device'],
  ['Shop/1 FB4A', undefined, 'android_device'],
  ['Shop/1 DuckDuckGo/17 iOS/1', undefined, 'ios_device'],
  ['Mozilla/5.0 (Android 14; iPhone 15)', undefined, 'android_device'],
  [`${iphone} (Android)`, undefined, 'ios_device'],
  ['Mozilla/5.0 (Linux; Android 9; Acme TV 4)', undefined, 'screen'],
  ['Mozilla/5.0 (Linux; Android 9; Acme 4) (Acme TV 4)', undefined, 'android_device'],
  ['Shop/1 (Acme) (Linux) SamsungBrowser/30.0', undefined, 'unknown'],
  ['x', undefined, 'unknown'],
])('the trace of %.40s with the hint %s has the evidence %s', (userAgent, clientHint, evidence) => {
  const findings: string[] = [];
  visitorOf({ userAgent, clientHint }, (rule, finding) => findings.push(`${rule}: ${finding}`));
  expect(findings).toEqual([`platform: ${evidence}`]);
});

test('a crawler name inside an app token does not make a person a crawler', () => {
  const inFacebook = `${webViewOnIphone} [FBAN/FBIOS;FBAV/450;FBDV/Twitterbot]`;
  expect(visitor(inFacebook)).toMatchObject({ socialCrawler: false, robot: false, inAppBrowser: true });
});
