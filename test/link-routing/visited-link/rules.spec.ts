import { compileLink, compileRules, matchingRule } from '../../../src/link-routing/visited-link/ruled-link';
import { matches, type RuleFacts } from '../../../src/link-routing/visited-link/rules';
import { explainRules } from '../../../src/diagnostics/explain/explained-rules';
import { preferredLanguageOf } from '../../../src/link-routing/visitor/preferred-language';
import { systemOf } from '../../../src/link-routing/visitor/system';
import { resolveIpad, visitorOf } from '../../../src/link-routing/visitor/visitor';
import { expiredLocation, lifeAt } from '../../../src/link-routing/visited-link/life';
import { type LinkRule, linkRules, rulesOf } from '../../../src/link-paths/rules/link-rules';
import { when as whenRule } from '../../../src/link-paths/rules/rule-values';
import type { DestinationUrl } from '../../../src/shared/destination-url';
import { fc, runs } from '../../support/properties';
import { aVisitedLink, aVisitedProject, someFacts } from '../builders';
import { plainMatch, plainUnmet } from './plain-rules';
import { userAgents } from '../user-agents';

const noon = Date.parse('2027-06-01T12:00:00Z');

const holds: [when: object, facts: Partial<RuleFacts>, expected: boolean][] = [
  [{}, {}, true],
  [{ countries: ['DE'] }, { country: 'DE' }, true],
  [{ countries: ['DE'] }, {}, false],
  [{ countries: ['DE'], qr: true }, { country: 'DE' }, false],
  [{ languages: ['de'] }, { language: 'de-at' }, true],
  [{ languages: ['de-AT'] }, { language: 'de' }, false],
  [{ languages: ['fi'] }, { language: 'fil' }, false],
  [{ languages: ['zh-Hant'] }, { language: 'zh-hant-tw' }, true],
  // The first and the last second of a rule.
  [{ from: '2027-06-01T12:00:00Z' }, { at: noon }, true],
  [{ from: '2027-06-01T12:00:00Z' }, { at: noon - 1 }, false],
  [{ until: '2027-06-01T12:00:00Z' }, { at: noon - 1 }, true],
  [{ until: '2027-06-01T12:00:00Z' }, { at: noon }, false],
  [{ query: { ref: 'a b' } }, { query: 'x=1&ref=a+b' }, true],
  [{ query: { ref: 'a b' } }, { query: 'r%65f=a%20b' }, true],
  [{ query: { ref: null } }, { query: 'ref' }, true],
  [{ query: { ref: '' } }, { query: 'ref' }, true],
  [{ query: { ref: '' } }, { query: 'ref=x&ref=' }, true],
  [{ query: { ref: 'x' } }, { query: 'REF=x' }, false],
  [{ query: { a: null, b: null } }, { query: 'a=1' }, false],
  [{ query: { a: '%' } }, { query: 'a=%' }, true],
  [{ referring_hosts: ['*.example.com'] }, { referringHost: 'a.b.example.com' }, true],
  [{ referring_hosts: ['*.example.com'] }, { referringHost: 'example.com' }, false],
  [{ networks: ['10.0.0.0/8', '2001:db8::/32'] }, { address: '10.1.2.3' }, true],
  [{ networks: ['10.0.0.0/8', '2001:db8::/32'] }, { address: '2001:db8::1' }, true],
  [{ networks: ['10.0.0.0/8'] }, { address: null }, false],
  [{ os_version: { min: '16.4' } }, { system: { platform: 'ios', version: [16, 4] } }, true],
  [{ os_version: { min: '16.4' } }, { system: { platform: 'ios', version: [16, 3, 9] } }, false],
  [{ os_version: { max: '16' } }, { system: { platform: 'ios', version: [16, 7, 1] } }, true],
  [{ os_version: { max: '16' } }, { system: { platform: 'ios', version: [17] } }, false],
  [{ os_version: { max: '16' } }, {}, false],
  [{ app_version: { max: '2.4' } }, { appVersion: '2.4.1-beta' }, true],
  [{ app_version: { max: '2.4' } }, { appVersion: '10.0' }, false],
  [{ app_version: { max: '2.4' } }, { appVersion: 'nightly' }, false],
  [{ app_version: { max: '2.4' } }, { appVersion: 'v2.4' }, false],
  [{ app_version: { min: '2.10' } }, { appVersion: '2.10' }, true],
  [{ app_version: { max: '2.4' } }, { appVersion: null }, false],
];

test.each(holds)('%j of %j: %s', (sent, facts, expected) => {
  expect(matches(whenRule.parse(sent), someFacts(facts))).toBe(expected);
});

test('a stored network that is not one holds for nobody', () => {
  const networks = ['none', '10.0.0.0/8'];
  const of = (address: string) => matches({ networks }, someFacts({ address }));
  expect(['10.1.2.3', '192.0.2.1'].map(of)).toEqual([true, false]);
});

const { iphone, pixel, desktop, macintosh } = userAgents;
const ipad15 = 'Mozilla/5.0 (iPad; CPU OS 15_8 like Mac OS X) Version/15.6 Mobile/15E148 Safari/604.1';
const chromeOs = 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/130.0.0.0 Safari/537.36';
const ubuntu = 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';

const systems: [userAgent: string, hint: string, via: string | null, platform: string, version: string | null][] = [
  [iphone, '', null, 'ios', '17.5.1'],
  [iphone.replace('17_5_1', '17_10_12'), '', null, 'ios', '17.10.12'],
  [iphone.replace('Version/17.5', 'Version/26.10.12'), '', null, 'ios', '26.10.12'],
  [iphone.replace('Version', 'CriOS'), '', null, 'ios', '17.5.1'],
  [iphone.replace('OS 17_5_1', 'OS'), '', null, 'ios', null],
  [userAgents.instagramOnIpad, '', null, 'ipados', null],
  [macintosh, '', null, 'macos', null],
  [macintosh, '', 'ipad', 'ipados', null],
  [ipad15, '', null, 'ipados', '15.8'],
  [iphone.replace('17_5_1', '18_6').replace('Version/17.5', 'Version/26.1'), '', null, 'ios', '26.1'],
  [pixel, '', null, 'android', '14'],
  [pixel.replace('Android 14; Pixel 8', 'Android 10; K'), '"Android"', null, 'android', null],
  [pixel.replace('Android 14; Pixel 8', 'Android 8.1.0; SM-J710F'), '', null, 'android', '8.1.0'],
  [pixel.replace('Android 14', 'Android 8.10'), '', null, 'android', '8.10'],
  [desktop, '', null, 'windows', null],
  [desktop, '"Linux"', null, 'linux', null],
  [desktop, '"Unknown"', null, 'windows', null],
  [macintosh, '"Windows"', null, 'windows', null],
  [macintosh, `" Windows "${' '.repeat(64)}"`, null, 'windows', null],
  [desktop, '"macOS"', null, 'macos', null],
  [desktop, '"ChromeOS"', null, 'chromeos', null],
  [desktop, '"Chromium OS"', null, 'chromeos', null],
  [chromeOs, '', null, 'chromeos', null],
  ['Mozilla/5.0 (Haiku) Firefox/130.0 (Linux)', '', null, 'other', null],
  [chromeOs, '"Chrome OS"', null, 'chromeos', null],
  [ubuntu, '', null, 'linux', null],
  [desktop, '"Fuchsia"', null, 'other', null],
  ['iPhone', '', null, 'ios', null],
  ['Android', '', null, 'android', null],
  [userAgents.xbox, '', null, 'other', null],
  [userAgents.slackbot, '', null, 'other', null],
  ['', '', null, 'other', null],
];

test.each(systems)('%s %s %s is %s %s', (userAgent, clientHint, via, platform, version) => {
  const visitor = resolveIpad(visitorOf({ userAgent, clientHint }), via);
  const system = systemOf(visitor, userAgent, clientHint);
  expect([system.platform, system.version?.join('.') ?? null]).toEqual([platform, version]);
});

const languages: [header: string | undefined, language: string | null][] = [
  [undefined, null],
  ['', null],
  ['*', null],
  ['*, de;q=0.5', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de-at'],
  ['en;q=0.8, DE;q=0.9', 'de'],
  ['en,de', 'en'],
  ['en;q=0, de;q=0.1', 'de'],
  ['iw', 'he'],
  ['x_y', null],
  [`${'a'.repeat(600)},de`, null],
];

test.each(languages)('the preferred language of %j is %s', (header, language) => {
  expect(preferredLanguageOf(header)).toBe(language);
});

const lives: [from: number | null, until: number | null, at: number, life: string][] = [
  [null, null, 0, 'active'],
  [10, null, 9, 'before'],
  [10, null, 10, 'active'],
  [null, 20, 19, 'active'],
  [null, 20, 20, 'after'],
  [10, 20, 20, 'after'],
];

test.each(lives)('a link from %s until %s is at %s %s', (activeFrom, activeUntil, at, life) => {
  expect(lifeAt(aVisitedLink({ activeFrom, activeUntil }), at)).toBe(life);
});

test('a link whose clicks are used up has ended', () => {
  const lock = { passwordHash: null, isLimited: true, isUsedUp: true };
  expect(lifeAt(aVisitedLink({ lock, activeUntil: 20 }), 10)).toBe('after');
  expect(lifeAt(aVisitedLink({ lock, activeFrom: 20 }), 10)).toBe('before');
});

const [own, ofProject] = ['https://a.example/' as DestinationUrl, 'https://b.example/' as DestinationUrl];

test.each([
  [null, null, 'a.example', null],
  [null, ofProject, 'a.example', `${ofProject}?x=1`],
  [own, ofProject, 'a.example', `${own}?x=1`],
  [own, ofProject, 'summer.go.example.com', `${ofProject}?x=1`],
] as const)(
  'a link that ended, with %s and %s of the project, on %s leads to %s',
  (expiredUrl, url, host, location) => {
    const link = aVisitedLink({ expiredUrl, hostsOfSamePath: new Map([[own, host]]) });
    expect(expiredLocation(aVisitedProject({ expiredUrl: url }), link, 'x=1')).toBe(location);
  },
);

test('a link is compiled with its own rules, and then with those of its template', () => {
  const jsonOf = (...answers: object[]) => JSON.stringify(answers.map((then) => ({ when: {}, then })));
  const web = { ios: true, android: true };
  const link = aVisitedLink({ iosFallbackUrl: own, referrerParams: Object.entries({ a: '1', b: '2' }), web });
  const rules = jsonOf({ app: true }, { store: true }, { url: 'javascript:1' });
  const template = { name: 'Shop', referrerParams: [], rules: jsonOf({ url: ofProject, params: { b: '3' } }) };
  const to = { iosFallbackUrl: ofProject, variant: null, referrerParams: Object.entries({ a: '1', b: '3' }) };
  const last = { at: 0, template: 'Shop', opens: 'url', link: to };
  const ownRules = [
    { at: 0, template: null, opens: 'app', link: { iosFallbackUrl: own } },
    { at: 1, template: null, opens: 'store', link: { iosFallbackUrl: null } },
  ];
  const none = { rules: null, variants: null };
  expect(compileLink(link, { ...none, rules }, 'a', template)).toMatchObject({ rules: [...ownRules, last], web });
  expect(compileLink(link, none, 'a', template).rules).toMatchObject([last]);
  expect(compileLink(link, none, 'a')).toBe(link);
  expect(compileRules(link, null, 'a')).toBeNull();
});

const one = <const T>(values: readonly T[]) => fc.constantFrom(...values);
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const version = fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
const range = fc.oneof(
  fc.record({ min: version }),
  fc.record({ max: version }),
  fc.record({ min: version, max: version }),
);
const hour = fc.integer({ min: -3, max: 3 }).map((hours) => noon + hours * 3_600_000);
const time = hour.map((at) => new Date(at).toISOString());
const name = one(['ref', 'a b', '__proto__']);

const conditionsOf = {
  platforms: some(['ios', 'ipados', 'android', 'windows']),
  os_version: range,
  browsers: some(['Safari', 'Chrome']),
  countries: some(['DE', 'AT', 'US']),
  languages: some(['de', 'de-AT', 'en', 'zh-Hant']),
  from: time,
  until: time,
  query: fc
    .array(fc.tuple(name, fc.option(one(['', 'x', 'ä']))), { minLength: 1, maxLength: 2 })
    .map((pairs) => Object.fromEntries(pairs)),
  referring_hosts: some(['example.com', '*.example.com', 'a.example.com']),
  networks: some(['10.0.0.0/8', '10.1.0.0/16', '10.1.1.1']),
  qr: fc.boolean(),
  app_version: range,
};

/** At most three conditions, because more seldom match. */
const aWhen = fc
  .tuple(fc.record(conditionsOf), fc.subarray(Object.keys(conditionsOf), { maxLength: 3 }))
  .map(([all, names]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))));

/** Each visitor may lack any of the facts. */
const aVisitor: fc.Arbitrary<RuleFacts> = fc.record({
  system: fc.record({
    platform: one(['ios', 'ipados', 'android', 'windows'] as const),
    version: fc.option(version.map((text) => text.split('.').map(Number))),
  }),
  browser: fc.option(one(['Safari', 'Chrome', 'Edge'])),
  country: fc.option(one(['DE', 'AT', 'US', 'FR'])),
  language: fc.option(one(['de', 'de-at', 'en-gb', 'zh-hant-tw', 'deu'])),
  at: fc.tuple(hour, one([-1, 0, 1])).map(([at, further]) => at + further),
  query: fc
    .array(fc.tuple(name, one(['', 'x', 'ä'])), { maxLength: 3 })
    .map((pairs) => new URLSearchParams(pairs).toString()),
  referringHost: fc.option(one(['example.com', 'a.example.com', 'anexample.com'])),
  address: fc.option(one(['10.0.0.1', '10.1.0.1', '10.1.1.1', '11.0.0.1'])),
  qr: fc.boolean(),
  appVersion: fc.option(version),
});

const someRules = fc.array(fc.record({ when: aWhen, then: fc.constant({ url: 'https://shop.example.com/' }) }), {
  minLength: 1,
  maxLength: 5,
});

test('rules of a link, a plain interpreter and explanations agree', () => {
  const seen = { matched: 0, refused: 0 };
  fc.assert(
    fc.property(someRules, fc.array(aVisitor, { minLength: 5, maxLength: 5 }), (sent, visitors) => {
      const reading = linkRules.safeParse(sent);
      if ('problems' in reading) {
        seen.refused++;
        // A rule that is refused as impossible matches nobody.
        for (const { path, message } of reading.problems)
          if (path.length === 1 && message.startsWith('can never match'))
            for (const visitor of visitors) expect(plainMatch(sent as never, realistic(visitor))).not.toBe(path[0]);
        return;
      }
      const rules = rulesOf(reading.value);
      const { rules: compiled } = compileRules(aVisitedLink(), reading.value, 'a')!;
      const outcomes = visitors.map((visitor) => {
        const explained = explainRules(compiled, visitor);
        const match = matchingRule(compiled, visitor)?.at ?? null;
        return [match, explained.match?.at ?? null, explained.rules.map(({ outcome, unmet }) => [outcome, ...unmet])];
      });
      const expected = visitors.map((visitor) => {
        const match = plainMatch(rules, visitor);
        const outcomeOf = ({ when }: LinkRule, at: number) =>
          match !== null && at > match
            ? ['not_reached']
            : [at === match ? 'matched' : 'not_matched', ...plainUnmet(when, visitor)];
        if (match !== null) seen.matched++;
        return [match, match, rules.map(outcomeOf)];
      });
      expect(outcomes).toEqual(expected);
    }),
    runs(200_000, 1000),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

/** A visitor as requests are: an app sends neither a browser nor a system's version, and other systems have no version. */
const realistic = (visitor: RuleFacts): RuleFacts => {
  const isApp = visitor.appVersion !== null && visitor.system.platform !== 'windows';
  const hasVersion = !isApp && visitor.system.platform !== 'windows';
  return {
    ...visitor,
    appVersion: isApp ? visitor.appVersion : null,
    system: { ...visitor.system, version: hasVersion ? visitor.system.version : null },
    ...(isApp && { browser: null, referringHost: null }),
  };
};
