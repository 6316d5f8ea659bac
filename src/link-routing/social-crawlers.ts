/**
 * User agents of the preview fetchers of social networks and messengers. The list is narrow, because these visitors get the
 * social card instead of the destination. Search engines, feed readers, mail proxies and crawlers that collect training
 * data are redirected like other robots.
 */
const userAgentPatterns = [
  // Meta, for Facebook, Instagram, Messenger and Threads: developers.facebook.com/docs/sharing/webmasters/web-crawlers. The
  // page's meta-externalagent, -externalfetcher, -externalads and -webindexer, and FacebookBot, fetch no previews. Apple's
  // Messages sends the tokens of Facebook and X; Line (line-poker), KakaoTalk (kakaotalk-scrap) and Naver send Facebook's.
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
  // WhatsApp: developers.facebook.com/docs/whatsapp/link-previews. Signal also sends `WhatsApp/2` (signalapp/Signal-Android#13522).
  '^WhatsApp\\b',
  // Telegram sends `TelegramBot (like TwitterBot)`
  '\\bTelegramBot\\b',
  '\\bDiscordbot\\b',
  // Pinterest: help.pinterest.com/en/business/article/pinterest-crawler. Its app sends `[Pinterest/iOS]`.
  '\\bPinterestbot\\b',
  'pinterest\\.com/bot\\.html',
  '\\bredditbot\\b',
  // Bluesky, current and former name: bluesky-social/social-app#6521 and #6538
  'Bluesky Cardyb',
  'BlueskyPreviewBot',
  '^Bluesky/',
  'support@bsky\\.app',
  // Microsoft Teams and Skype
  'SkypeUriPreview',
  // Google Chat and Messages
  'Google-PageRenderer',
  'developers\\.google\\.com/\\+/web/snippet',
  // Snapchat: developers.snap.com/robots. Its app sends `Snapchat/` first.
  'Snap URL Preview Service',
  'SnapURLPreview/',
  // The following are from github.com/monperrus/crawler-user-agents
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
  // Preview services that others use: support.embed.ly, iframely.com/docs/about
  '\\bEmbedly\\b',
  '\\bIframely\\b',
];

/** Has no quantifiers, so that matching time is linear in the length of the text. */
export const socialCrawler = new RegExp(userAgentPatterns.join('|'), 'i');
