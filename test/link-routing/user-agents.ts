const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const chromium = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const onIphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${webKit}`;
const onMacintosh = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit}`;

/** User agents of real browsers and crawlers. */
export const userAgents = {
  iphone: `${onIphone} Version/17.5 Mobile/15E148 Safari/604.1`,
  pixel: `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${chromium} Chrome/130.0.6723.102 Mobile Safari/537.36`,
  desktop: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Chrome/130.0.0.0 Safari/537.36`,
  /** A Macintosh, or an iPad that requests desktop sites. */
  macintosh: `${onMacintosh} Version/17.5 Safari/605.1.15`,
  instagramOnIphone: `${onIphone} Mobile/15E148 Instagram 330.0.3.29.90 (iPhone15,3; iOS 17_5_1; en_US; en; scale=3.00; 1290x2796; 598322439)`,
  instagramOnAndroid: `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240805.005; wv) ${chromium} Version/4.0 Chrome/127.0.6533.103 Mobile Safari/537.36 Instagram 343.0.0.33.101 Android (34/14; 420dpi; 1080x2201; Google/google; Pixel 8; shiba; shiba; en_US; 627400398)`,
  instagramOnIpad: `${onMacintosh} Mobile/15E148 Instagram 330.0.3.29.90 (iPad13,8; iPadOS 17_5_1; en_US; en; scale=2.00; 2048x2732; 598322439)`,
  iMessage:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  slackbot: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  googlebot: `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${chromium} Chrome/130.0.6723.91 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  googlebotDesktop:
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/130.0.6723.91 Safari/537.36',
  xbox: `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${chromium} Chrome/52.0.2743.116 Safari/537.36 Edge/15.15063`,
  unknown: 'something/1.0',
} as const;

export type UserAgentName = keyof typeof userAgents;
