/**
 * What the preview fetchers of social networks and messengers call themselves. It is a narrow list on purpose: whoever stands
 * on it is shown the link's social card in place of its destination. Search engines, feed readers, mail proxies and what
 * collects text for language models are robots like others and are sent on.
 */
const names = [
  // Meta, for Facebook, Instagram, Messenger and Threads: developers.facebook.com/docs/sharing/webmasters/web-crawlers. The same
  // page's meta-externalagent, -externalfetcher, -externalads and -webindexer, and FacebookBot, draw no previews. Apple's Messages
  // calls itself Facebook's and X's at once, Line (line-poker), KakaoTalk (kakaotalk-scrap) and Naver call themselves Facebook's.
  'facebookexternalhit',
  '\\bFacebot\\b',
  'Meta-ExternalHit/',
  // X: developer.x.com/en/docs/x-for-websites/cards/guides/getting-started
  '\\bTwitterbot\\b',
  // LinkedIn: linkedin.com/robots.txt
  '\\bLinkedInBot\\b',
  // Slack: api.slack.com/robots
  '\\bSlackbot\\b',
  'Slack-ImgProxy',
  // WhatsApp: developers.facebook.com/docs/whatsapp/link-previews. Signal says `WhatsApp/2` too (signalapp/Signal-Android#13522).
  '^WhatsApp\\b',
  // Telegram, which says `TelegramBot (like TwitterBot)`
  '\\bTelegramBot\\b',
  '\\bDiscordbot\\b',
  // Pinterest: help.pinterest.com/en/business/article/pinterest-crawler. Its app says `[Pinterest/iOS]`.
  '\\bPinterestbot\\b',
  'pinterest\\.com/bot\\.html',
  '\\bredditbot\\b',
  // Bluesky, under both its names: bluesky-social/social-app#6521 and #6538
  'Bluesky Cardyb',
  'BlueskyPreviewBot',
  '^Bluesky/',
  'support@bsky\\.app',
  // Microsoft Teams and Skype
  'SkypeUriPreview',
  // Google Chat and Messages
  'Google-PageRenderer',
  'developers\\.google\\.com/\\+/web/snippet',
  // Snapchat: developers.snap.com/robots. Its app begins with `Snapchat/`.
  'Snap URL Preview Service',
  'SnapURLPreview/',
  // The others as github.com/monperrus/crawler-user-agents has them
  '^Viber\\b',
  '^Tumblr/',
  '\\bvkShare\\b',
  '\\bOdklBot\\b',
  '\\bXing Bot\\b',
  'FlipboardProxy',
  'GroupMeBot',
  'KeybaseBot',
  'SteamChatURLLookup',
  'DingTalkBot-LinkService',
  'Chatwork LinkPreview',
  'Mattermost-Bot/',
  // Matrix, and the fediverse: Mastodon, Misskey, Lemmy, Friendica
  '^Synapse\\b',
  '\\bMastodon/[0-9]',
  'SummalyBot',
  '^Lemmy/',
  '^Friendica\\b',
  // What other services have their previews fetched by: support.embed.ly, iframely.com/docs/about
  '\\bEmbedly\\b',
  '\\bIframely\\b',
];

/** Words only, without repetition: the time it takes grows with the text and with nothing else. */
export const socialCrawler = new RegExp(names.join('|'), 'i');
