import { describedPhoneOf } from './described-phone';

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
  'XING-contenttabreceiver',
  'FlipboardProxy',
  'GroupMeBot',
  'KeybaseBot',
  'SteamChatURLLookup',
  'DingTalkBot-LinkService',
  'Chatwork LinkPreview',
  'Mattermost-Bot/',
  // Matrix
  '^Synapse\\b',
  '^(?:Dendrite|Conduit|conduwuit|tuwunel|continuwuity)/',
  'matrix-media-repo',
  // The library of Misskey
  'SummalyBot',
  // TikTok fetches previews of shared links by it, too.
  'TikTokSpider',
  // Naver: `acebookexternalhit/1.1 (compatible; Blueno/1.0; +http://naver.me/scrap)`
  '\\bBlueno/',
  // Programs for work. Their apps send `Mozilla/5.0` first.
  '^Notion(?:Bot)?/',
  '^Asana/',
  '^CodaBot/',
  '^HatenaBookmark/',
  '^Trello/',
  '^Rocket\\.Chat\\b',
  '^Basecamp\\b',
  '^XenForo/',
  // Preview services that others use: support.embed.ly, iframely.com/docs/about
  '\\bEmbedly\\b',
  '\\bIframely\\b',
];

/** Words that programs have in their names because they show previews. `BingPreview` and `Google Web Preview` are of search engines. */
const previewWords = [
  'Onebox',
  'Unfurl(?:er|ing|s)?',
  '(?:Link|URL|URI|Site|Page|Chat|Social|Share|Card|Message)[ _-]?(?:Preview|Unfurl|Expand|Embed)[a-z]*',
  'Preview[ _-]?(?:Bot|Fetcher|Service|Crawler|Generator)',
  '(?:o|Link|Media)?Embed(?:Bot|Fetcher|Service|der|ly)?',
  'Open[ _-]?Graph(?:Bot|Fetcher|Scraper|Parser)?',
  'Rich ?Link(?:Bot)?',
  'MetaTagFetcher',
  'MetadataRetriever',
];

/** Servers of the fediverse. They send `Name/version (…; +https://host/)`, or the same with a space. */
const fediverseServers = `
  Mastodon Hometown GlitchSoc Pleroma Akkoma Rebased Misskey Firefish Sharkey Calckey Foundkey Iceshrimp(?:\\.NET)? CherryPick Catodon
  Lemmy PieFed kbin Mbin PeerTube Pixelfed Friendica Hubzilla Diaspora Socialhome GoToSocial Mitra Takahe Bookwyrm Funkwhale Mobilizon
  Gancio WriteFreely Bonfire Owncast Castopod Smithereen Wafrn Hollo Ktistec snac Epicyon microblog\\.pub NodeBB Flohmarkt`
  .trim()
  .split(/\s+/);

const narrow = new RegExp(userAgentPatterns.join('|'), 'i');
const fediverse = new RegExp(`^(?!Mozilla/)(?:[^(]{0,64}\\()?(?:${fediverseServers.join('|')})(?:/|;| ['(v0-9])`, 'i');
const general = new RegExp(`(?:${previewWords.join('|')})(?![a-z])`, 'i');

/**
 * Returns whether the user agent belongs to a program that shows previews. Apps on phones add arbitrary words, so only names
 * decide there.
 */
export const isSocialCrawler = (userAgent: string): boolean =>
  narrow.test(userAgent) ||
  fediverse.test(userAgent) ||
  (general.test(userAgent) && describedPhoneOf(userAgent) === null);
