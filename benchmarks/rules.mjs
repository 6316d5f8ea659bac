// Compares the decision for a visit of a link with rules with that for the same link without rules, in turn, in one process.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { decideAnswer } = require('../build/link-routing/answers/destination.js');
const { toLinkReadModel } = require('../build/link-routing/visited-link/read-models.js');
const { matchingRule } = require('../build/link-routing/visited-link/ruled-link.js');
const { visitorOf } = require('../build/link-routing/visitor/visitor.js');
const { VisitFacts } = require('../build/link-traffic/visits/visit-facts.js');
const { linkRules } = require('../build/link-paths/rules/link-rules.js');

const rounds = 15;
const visits = 100_000;

const then = { url: 'https://shop.example.com/other' };
const countries = ['DE', 'AT', 'CH', 'FR', 'IT', 'ES', 'PT', 'NL', 'BE', 'LU'];
/** Each kind of condition that a browser can have, and none that the visitor has. */
const whens = [
  { platforms: ['android'] },
  { platforms: ['ios', 'ipados'], os_version: { max: '12' } },
  { browsers: ['Firefox', 'Opera'] },
  { languages: ['fr', 'it', 'pt-BR'] },
  { from: '2090-01-01T00:00:00Z' },
  { until: '2000-01-01T00:00:00Z' },
  { query: { ref: 'x' } },
  { referring_hosts: ['*.example.org'] },
  { networks: ['10.0.0.0/8', '2001:db8::/32'] },
  { qr: true },
  ...countries.map((country) => ({ countries: [country], languages: ['ja'] })),
];

const linkWith = (rules) =>
  toLinkReadModel(
    {
      desktopUrl: 'https://shop.example.com/',
      referrerParams: [],
      forwardedParams: [],
      queryForwarding: null,
      iosAppId: null,
      androidAppId: null,
      iosFallbackUrl: null,
      androidFallbackUrl: null,
      expiredUrl: null,
      socialImageUrl: null,
      activeFrom: null,
      activeUntil: null,
      disabled: false,
      variants: null,
      rules: rules.length === 0 ? null : linkRules.parse(rules.map((when) => ({ when, then }))),
    },
    'a',
  );

const links = {
  'no rules': linkWith([]),
  '1 rule': linkWith(whens.slice(0, 1)),
  '5 rules': linkWith(whens.slice(0, 5)),
  '20 rules': linkWith(whens),
};

const project = { queryForwarding: 'all', forwardedParams: [], iosApps: new Map(), androidApps: new Map() };
const userAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const headers = {
  'user-agent': userAgent,
  'accept-language': 'de-DE,de;q=0.9,en;q=0.8',
  referer: 'https://news.example.com/',
};
const reader = { countryOf: () => 'US', proxiedAddressOf: () => '198.51.100.7' };
const query = 'utm_source=mail&utm_medium=email';

function visit(link) {
  const visitor = visitorOf({ userAgent, clientHint: undefined });
  let decided = link;
  if (link.rules !== null) {
    const facts = new VisitFacts({ headers }, visitor, query, null, Date.now(), reader);
    decided = matchingRule(link.rules, facts)?.link ?? link;
  }
  return decideAnswer(project, decided, visitor, query, false);
}

const times = Object.fromEntries(Object.keys(links).map((name) => [name, []]));
for (let round = 0; round < rounds; round++)
  for (const [name, link] of Object.entries(links)) {
    const start = process.hrtime.bigint();
    for (let n = 0; n < visits; n++) visit(link);
    times[name].push(Number(process.hrtime.bigint() - start) / visits);
  }

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const plain = median(times['no rules']);
console.log('decision for a visit, median of rounds');
for (const [name, all] of Object.entries(times)) {
  const ns = median(all);
  const ratio = (ns / plain).toFixed(2);
  console.log(
    `${name.padEnd(10)} ${Math.round(ns).toString().padStart(6)} ns  ${ratio} times, ${Math.round(ns - plain)} ns more`,
  );
}
