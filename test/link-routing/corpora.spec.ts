import crawlers from 'crawler-user-agents';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { visitorOf } from '../../src/link-routing/visitor';
import { type Platform } from '../../src/link-routing/platform';

/** What npm `user-agents` has of a browser that ran a script on a page. */
interface Browser {
  userAgent: string;
  /** `navigator.platform` */
  platform: string;
  /** `navigator.vendor` */
  vendor: string;
  deviceCategory: 'mobile' | 'tablet' | 'desktop';
}

// The package offers draws from its data; the data lie beside its code.
const browsers = JSON.parse(
  readFileSync(join(dirname(require.resolve('user-agents')), 'user-agents.json'), 'utf8'),
) as Browser[];

type Expected = Platform | 'phone';

/**
 * What the browser is by what it told scripts, not by its user agent; null where that contradicts itself. Chrome that emulates
 * a phone keeps the `navigator.platform` of its machine, so that what is known is that it shows itself as some phone.
 */
function expectedOf({ platform, vendor, deviceCategory }: Browser): Expected | null {
  if (/^iP(hone|ad|od)/.test(platform)) return vendor.startsWith('Apple') ? 'ios' : null;
  if (deviceCategory === 'desktop') return 'desktop';
  return /^Linux (arm|aarch)/.test(platform) ? 'android' : 'phone';
}

const expected = new Map<string, Set<Expected>>();
for (const browser of browsers) {
  const is = expectedOf(browser);
  if (is) expected.set(browser.userAgent, (expected.get(browser.userAgent) ?? new Set()).add(is));
}

const read = (userAgent: string) => visitorOf({ userAgent, clientHint: undefined });
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;

// Not by `console`, whose lines jest surrounds with a trace.
const say = (line: string) => process.stdout.write(`${line}\n`);

describe('browsers', () => {
  test('the platform is right for 99.5 % and more', () => {
    const wrong = [...expected].filter(([userAgent, all]) => {
      const { platform } = read(userAgent);
      return [...all].some((is) => (is === 'phone' ? platform === 'desktop' : platform !== is));
    });
    const right = 1 - wrong.length / expected.size;
    const exact = [...expected.values()].filter((all) => !all.has('phone') || all.size > 1).length;
    say(
      `platform right for ${percent(right)} of ${expected.size} distinct browser user agents (${exact} known exactly)`,
    );
    expect(expected.size).toBeGreaterThan(800);
    expect(exact).toBeGreaterThan(250);
    expect(right).toBeGreaterThanOrEqual(0.995);
  });

  test('and for 99.5 % and more of the visits, each user agent as often as it is seen', () => {
    const known = browsers.filter((browser) => !['phone', null].includes(expectedOf(browser)));
    const right = known.filter((browser) => read(browser.userAgent).platform === expectedOf(browser));
    say(`platform right for ${percent(right.length / known.length)} of ${known.length} visits by browsers`);
    expect(right.length / known.length).toBeGreaterThanOrEqual(0.995);
  });

  test('fewer than 0.1 % are taken for programs, and few for in-app browsers', () => {
    const all = [...new Set(browsers.map(({ userAgent }) => userAgent))].map(read);
    const robots = all.filter(({ robot, socialCrawler }) => robot || socialCrawler).length;
    const inApps = all.filter(({ inAppBrowser }) => inAppBrowser).length;
    say(`of ${all.length} distinct browser user agents, ${robots} taken for robots, ${inApps} for in-app browsers`);
    expect(robots / all.length).toBeLessThan(0.001);
    expect(inApps / all.length).toBeLessThan(0.02);
  });
});

describe('crawlers', () => {
  /** In-app browsers of Facebook and Instagram, which the list takes for crawlers. */
  const people = ['MetaIAB Facebook', 'AP3A\\.240617\\.008'];
  const programs = crawlers.filter(({ pattern }) => !people.includes(pattern));

  test('99 % and more are robots', () => {
    const all = programs.flatMap(({ instances }) => instances);
    const robots = all.filter((userAgent) => read(userAgent).robot).length;
    say(`${percent(robots / all.length)} of ${all.length} crawlers taken for robots`);
    expect(all.length).toBeGreaterThan(2000);
    expect(robots / all.length).toBeGreaterThanOrEqual(0.99);
  });

  test('people in apps are people', () => {
    const all = crawlers.filter(({ pattern }) => people.includes(pattern)).flatMap(({ instances }) => instances);
    expect(all).toHaveLength(2);
    for (const userAgent of all) expect(read(userAgent)).toMatchObject({ robot: false, inAppBrowser: true });
  });

  const networks = [
    'facebookexternalhit',
    'Facebot',
    'Meta-ExternalHit\\/',
    'Twitterbot',
    'LinkedInBot',
    'Slackbot',
    'Slack-ImgProxy',
    'WhatsApp',
    'TelegramBot',
    'Discordbot',
    'pinterest\\.com\\/bot',
    'redditbot',
    'Bluesky\\/',
    'BlueskyPreviewBot',
    'SkypeUriPreview',
    'Snap URL Preview Service',
    'SnapURLPreview\\/',
    'Viber',
    'Tumblr\\/',
    'vkShare',
    'OdklBot\\/',
    'Xing Bot',
    'FlipboardProxy',
    'GroupMeBot',
    'KeybaseBot',
    'Valve\\/Steam',
    'DingTalkBot-LinkService',
    'Chatwork LinkPreview',
    'Mattermost-Bot\\/',
    'Synapse',
    'Mastodon',
    'SummalyBot',
    'Lemmy',
    'Friendica',
    'Embedly',
    'Iframely',
  ];

  test.each(networks)('all of %s are social crawlers', (pattern) => {
    const { instances } = crawlers.find((crawler) => crawler.pattern === pattern)!;
    expect(instances).not.toHaveLength(0);
    for (const userAgent of instances) expect([userAgent, read(userAgent).socialCrawler]).toEqual([userAgent, true]);
  });

  test('nothing that draws no previews is one', () => {
    const others = crawlers.filter(({ tags }) => !tags?.includes('social-preview'));
    const taken = others.flatMap(({ instances }) => instances).filter((userAgent) => read(userAgent).socialCrawler);
    // The list files the fetcher of Google Chat under search engines.
    expect(taken.filter((userAgent) => !userAgent.includes('developers.google.com/+/web/snippet'))).toEqual([]);
  });
});
