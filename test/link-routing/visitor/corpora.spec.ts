import crawlers from 'crawler-user-agents';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { visitorOf } from '../../../src/link-routing/visitor/visitor';
import { type Platform } from '../../../src/link-routing/visitor/device-platform';

/** A browser in npm `user-agents`, recorded by a script in a page. */
interface Browser {
  userAgent: string;
  /** `navigator.platform` */
  platform: string;
  /** `navigator.vendor` */
  vendor: string;
  deviceCategory: 'mobile' | 'tablet' | 'desktop';
}

// The package exports only random samples, so the test reads its data file.
const browsers = JSON.parse(
  readFileSync(join(dirname(require.resolve('user-agents')), 'user-agents.json'), 'utf8'),
) as Browser[];

type Expected = Platform | 'phone';

/**
 * Returns the platform that scripts measured, independent of the user agent; null if the data contradict each other. Chrome
 * that emulates a phone keeps the `navigator.platform` of the computer, so the result is only `phone`.
 */
function measuredPlatform({ platform, vendor, deviceCategory }: Browser): Expected | null {
  if (/^iP(hone|ad|od)/.test(platform)) return vendor.startsWith('Apple') ? 'ios' : null;
  // Android reports it for desktop sites too. Then Chrome has the user agent of a desktop, so some remain wrong.
  if (platform === 'Linux armv81') return 'android';
  if (deviceCategory === 'desktop') return 'desktop';
  return /^Linux (arm|aarch)/.test(platform) ? 'android' : 'phone';
}

const expected = new Map<string, Set<Expected>>();
for (const browser of browsers) {
  const is = measuredPlatform(browser);
  if (is) expected.set(browser.userAgent, (expected.get(browser.userAgent) ?? new Set()).add(is));
}

const read = (userAgent: string) => visitorOf({ userAgent, clientHint: undefined });
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

// `console` is avoided, because jest adds a stack trace to each line.
const print = (line: string) => process.stdout.write(`${line}\n`);

describe('browsers', () => {
  test('the platform is correct for at least 99.5 % of user agents', () => {
    const wrong = [...expected].filter(([userAgent, all]) => {
      const { platform } = read(userAgent);
      return [...all].some((is) => (is === 'phone' ? platform === 'desktop' : platform !== is));
    });
    const right = 1 - wrong.length / expected.size;
    const exact = [...expected.values()].filter((all) => !all.has('phone') || all.size > 1).length;
    print(
      `platform right for ${percent(right)} of ${expected.size} distinct browser user agents (${exact} known exactly)`,
    );
    expect(expected.size).toBeGreaterThan(800);
    expect(exact).toBeGreaterThan(250);
    expect(right).toBeGreaterThanOrEqual(0.995);
  });

  test('the platform is correct for at least 99.5 % of visits, weighted by frequency', () => {
    const known = browsers.filter((browser) => !['phone', null].includes(measuredPlatform(browser)));
    const right = known.filter((browser) => read(browser.userAgent).platform === measuredPlatform(browser));
    print(`platform right for ${percent(right.length / known.length)} of ${known.length} visits by browsers`);
    expect(right.length / known.length).toBeGreaterThanOrEqual(0.995);
  });

  test('fewer than 0.1 % are classified as robots, and few as in-app browsers', () => {
    const all = [...new Set(browsers.map(({ userAgent }) => userAgent))].map(read);
    const robots = all.filter(({ robot, socialCrawler }) => robot || socialCrawler).length;
    const inApps = all.filter(({ inAppBrowser }) => inAppBrowser).length;
    print(`of ${all.length} distinct browser user agents, ${robots} taken for robots, ${inApps} for in-app browsers`);
    expect(robots / all.length).toBeLessThan(0.001);
    expect(inApps / all.length).toBeLessThan(0.02);
  });
});

describe('crawlers', () => {
  /** In-app browsers of Facebook and Instagram, which the list contains as crawlers. */
  const inAppBrowsers = ['MetaIAB Facebook', 'AP3A\\.240617\\.008'];
  const programs = crawlers.filter(({ pattern }) => !inAppBrowsers.includes(pattern));

  test('at least 99 % are robots', () => {
    const all = programs.flatMap(({ instances }) => instances);
    const robots = all.filter((userAgent) => read(userAgent).robot).length;
    print(`${percent(robots / all.length)} of ${all.length} crawlers taken for robots`);
    expect(all.length).toBeGreaterThan(2000);
    expect(robots / all.length).toBeGreaterThanOrEqual(0.99);
  });

  test('in-app browsers are not robots', () => {
    const all = crawlers.filter(({ pattern }) => inAppBrowsers.includes(pattern)).flatMap(({ instances }) => instances);
    expect(all).toHaveLength(2);
    for (const userAgent of all) expect(read(userAgent)).toMatchObject({ robot: false, inAppBrowser: true });
  });

  const networks =
    String.raw`facebookexternalhit, Facebot, Meta-ExternalHit\/, Twitterbot, LinkedInBot, Slackbot, Slack-ImgProxy, WhatsApp,
    TelegramBot, Discordbot, pinterest\.com\/bot, redditbot, Bluesky\/, BlueskyPreviewBot, SkypeUriPreview,
    Snap URL Preview Service, SnapURLPreview\/, Viber, Tumblr\/, vkShare, OdklBot\/, Xing Bot, FlipboardProxy,
    GroupMeBot, KeybaseBot, Valve\/Steam, DingTalkBot-LinkService, Chatwork LinkPreview, Mattermost-Bot\/, Synapse,
    Mastodon, SummalyBot, Lemmy, Friendica, Embedly, Iframely`.split(/,\s+/);

  test.each(networks)('all user agents of %s are social crawlers', (pattern) => {
    const { instances } = crawlers.find((crawler) => crawler.pattern === pattern)!;
    expect(instances).not.toHaveLength(0);
    for (const userAgent of instances) expect([userAgent, read(userAgent).socialCrawler]).toEqual([userAgent, true]);
  });

  test('crawlers that fetch no previews are not social crawlers', () => {
    const others = crawlers.filter(({ tags }) => !tags?.includes('social-preview'));
    const taken = others.flatMap(({ instances }) => instances).filter((userAgent) => read(userAgent).socialCrawler);
    const previews =
      /developers\.google\.com\/\+\/web\/snippet|python-opengraph|^gotosocial\/|^Asana\/|Matrix-Media-Repo|^page-preview-tool/;
    // These show previews, but the list categorises them differently.
    expect(taken.filter((userAgent) => !previews.test(userAgent))).toEqual([]);
  });
});
