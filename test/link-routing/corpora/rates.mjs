// Prints how many public user agents are classified correctly. Run `npm run build` and `npm ci` in this folder first.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const { visitorOf } = require('../../../build/link-routing/visitor/visitor.js');

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const read = (userAgent) => visitorOf({ userAgent, clientHint: undefined });
const distinct = (userAgents) => [...new Set(userAgents)];

const listMistakes = process.argv.includes('--list');

/** Prints how many of the distinct user agents pass the check. */
function rate(title, userAgents, isRight) {
  const all = distinct(userAgents);
  const wrong = all.filter((userAgent) => !isRight(read(userAgent)));
  const share = ((1 - wrong.length / all.length) * 100).toFixed(2);
  console.log(`${title}: ${all.length - wrong.length} of ${all.length} (${share} %)`);
  if (listMistakes) for (const userAgent of wrong) console.log(`    ${userAgent}`);
}

// npm `user-agents`: visitors of pages, recorded by a script.
const recorded = readJson(join(dirname(require.resolve('user-agents')), 'user-agents.json')).map(
  (one) => one.userAgent,
);

// npm `crawler-user-agents`
const crawlers = require('crawler-user-agents');
const inAppBrowsersOfCrawlers = ['MetaIAB Facebook', 'AP3A\\.240617\\.008'];
const programs = crawlers.filter(({ pattern }) => !inAppBrowsersOfCrawlers.includes(pattern));
const instancesOf = (list) => list.flatMap(({ instances }) => instances);

// npm `device-detector-js`, with the fixtures of Matomo
const fixtures = join(import.meta.dirname, 'node_modules/device-detector-js/fixtures/Tests/fixtures');
const matomo = readdirSync(fixtures).flatMap((file) =>
  readJson(join(fixtures, file)).map((one) => ({ ...one, kind: file.replace(/-?[0-9]*\.json$/, '') })),
);
const matomoOf = (...kinds) => matomo.filter(({ kind }) => kinds.includes(kind));
const userAgentsOf = (list) => list.map((one) => one.user_agent ?? one.ua);

// npm `ua-parser-js`
const parserFile = (name) => readJson(join(import.meta.dirname, 'node_modules/ua-parser-js/test', `${name}-test.json`));
const parserDevices = parserFile('device');
const parserBrowsers = parserFile('browser');

/** Programs without a person, which the lists have among browsers. */
const automated = /headless|phantomjs|^curl\/|^wget\//i;
const people = [
  ...recorded,
  ...userAgentsOf(matomoOf('smartphone', 'phablet', 'tablet', 'feature_phone', 'desktop')),
  ...userAgentsOf(parserDevices.filter(({ expect }) => ['mobile', 'tablet'].includes(expect.type))),
  ...userAgentsOf(parserBrowsers),
].filter((userAgent) => !automated.test(userAgent));

rate('people that are no robots', people, ({ robot }) => !robot);
rate('recorded visitors that are no robots', recorded, ({ robot }) => !robot);
rate('crawlers of crawler-user-agents that are robots', instancesOf(programs), ({ robot }) => robot);
rate('robots of Matomo that are robots', userAgentsOf(matomoOf('bots')), ({ robot }) => robot);

const phonesOf = (system) =>
  userAgentsOf(matomoOf('smartphone', 'phablet', 'tablet').filter(({ os }) => os?.name === system));
rate('phones and tablets of Android', phonesOf('Android'), ({ platform }) => platform === 'android');
rate('phones and tablets of iOS', phonesOf('iOS'), ({ platform }) => platform === 'ios');
rate('desktops', userAgentsOf(matomoOf('desktop')), ({ platform }) => platform === 'desktop');
const screens = [
  ...userAgentsOf(matomoOf('tv')),
  ...userAgentsOf(parserDevices.filter(({ expect }) => expect.type === 'smarttv')),
];
rate('televisions that are desktop', screens, ({ platform }) => platform === 'desktop');

const inAppNames =
  /^(?:Facebook|Instagram|Snapchat|TikTok|Line|WeChat|KAKAOTALK|KAKAOSTORY|LinkedIn|Naver|Alipay|Weibo|Twitter|Klarna)$/i;
const inApps = parserBrowsers.filter(
  ({ expect, ua }) => inAppNames.test(expect.name) && ua.startsWith('Mozilla/5.0 ('),
);
rate('in-app browsers of ua-parser-js', userAgentsOf(inApps), ({ inAppBrowser }) => inAppBrowser);
const named = distinct(recorded).filter((userAgent) => read(userAgent).inAppBrowser);
console.log(`recorded visitors in in-app browsers: ${named.length} of ${distinct(recorded).length}`);

const previews = programs.filter(({ tags }) => tags?.includes('social-preview'));
rate('previews of crawler-user-agents', instancesOf(previews), ({ socialCrawler }) => socialCrawler);
const others = programs.filter(({ tags }) => !tags?.includes('social-preview'));
rate('other crawlers without previews', instancesOf(others), ({ socialCrawler }) => !socialCrawler);
