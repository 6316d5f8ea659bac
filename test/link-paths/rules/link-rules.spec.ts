import type { Rule } from '../../../src/shared/rule';
import { linkRules, type LinkRule, rulesOf, urlsOfRules } from '../../../src/link-paths/rules/link-rules';
import { objectRule } from '../../../src/link-paths/rules/object-rule';
import { when } from '../../../src/link-paths/rules/rule-values';
import { linkVariants, urlsOfVariants, variantsOf } from '../../../src/link-paths/rules/variants';
import { isRangeWithin, type VersionRange } from '../../../src/link-paths/rules/version-range';
import { webPlatforms } from '../../../src/link-paths/rules/web-platforms';
import { jsonBoolean } from '../../../src/shared/rule';

const to = { url: 'https://shop.example.com/' };
const rules = (...conditions: object[]) => conditions.map((when) => ({ when, then: to }));

const aVariant = (name: unknown, weight: unknown = 1, url: unknown = to.url) => ({ name, url, weight });

const problemsOf = (sent: unknown, rule: Rule<unknown> = linkRules): string[] => {
  const reading = rule.safeParse(sent);
  return 'value' in reading ? [] : reading.problems.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

const accepted: Record<string, [sent: object, stored?: object]> = {
  'no condition': [{}],
  'platforms, once each': [{ platforms: ['ios', 'ios'] }, { platforms: ['ios'] }],
  'versions of a system': [{ os_version: { min: '16', max: '16.4.1' } }],
  'a prefix as the end': [{ os_version: { min: '16.5', max: '16' } }],
  'a single version of iPads': [{ platforms: ['ipados'], os_version: { min: '16.10', max: '16.10' } }],
  'versions of Android': [{ platforms: ['android'], os_version: { min: '9' } }],
  browsers: [{ browsers: ['Samsung Internet', 'Instagram'] }],
  'countries in any letter case': [{ countries: ['de', 'AT'] }, { countries: ['DE', 'AT'] }],
  'languages in canonical form': [{ languages: ['DE', 'pt-br', 'ZH-hant'] }, { languages: ['de', 'pt-BR', 'zh-Hant'] }],
  'an obsolete language': [{ languages: ['iw'] }, { languages: ['he'] }],
  'a language of a numbered region': [{ languages: ['es-419'] }],
  'a time in UTC': [{ from: '2026-03-29T03:00:00+02:00' }, { from: '2026-03-29T01:00:00.000Z' }],
  'a leap day': [{ until: '2028-02-29T00:00:00Z' }, { until: '2028-02-29T00:00:00.000Z' }],
  'parameters with and without a value': [{ query: { ref: 'x', beta: null, __proto: '' } }],
  'five parameters': [{ query: { a: '', b: '', c: '', d: '', e: '' } }],
  'a host of one character': [{ referring_hosts: ['x'] }],
  'hosts in any letter case': [
    { referring_hosts: ['News.Example.com', '*.example.org'] },
    { referring_hosts: ['news.example.com', '*.example.org'] },
  ],
  networks: [{ networks: ['192.0.2.0/24', '2001:DB8::/32'] }, { networks: ['192.0.2.0/24', '2001:db8::/32'] }],
  'a QR code': [{ qr: false }],
  'versions of an app': [{ app_version: { max: '2.4' }, platforms: ['ios', 'windows'] }],
};

test.each(Object.entries(accepted))('accepts %s', (_, [sent, stored = sent]) => {
  expect(problemsOf(rules(sent))).toEqual([]);
  expect(rulesOf(linkRules.parse(rules(sent)))).toEqual(rules(stored));
  expect(when.parse(sent)).toStrictEqual(stored);
});

const unknown =
  'is unknown; use one of platforms, os_version, browsers, countries, languages, from, until, query, referring_hosts, networks, qr, app_version';
const oneOfFour = 'must have exactly one of url, variants, store and app';
const aCountry = 'must be a country of ISO 3166-1 such as DE';
const aLanguage = 'must be a language such as de, pt-BR or zh-Hant';
const aVersion = 'must be a version of one to four numbers, such as 16.4';
const aHost = 'must be a host such as news.example.com, or *.example.com for all hosts below it';
const aTime = 'must be an ISO 8601 date-time such as 2027-01-31T00:00:00Z';

const refused: Record<string, [sent: unknown, problem: string]> = {
  'no list': [{}, ': must be an array'],
  'an empty list': [[], ': must have at least 1 item'],
  '21 rules': [
    rules(...Array.from({ length: 21 }, (_, at) => ({ query: { a: String(at) } }))),
    ': must have at most 20 items',
  ],
  'a text as a rule': [['x'], '0: must be an object'],
  'null as a rule': [[null], '0: must be an object'],
  'a list as a rule': [[[]], '0: must be an object'],
  'no conditions': [[{ then: to }], '0.when: is required'],
  'no destination': [[{ when: {} }], '0.then: is required'],
  'an unknown condition': [rules({ city: ['Rome'] }), `0.when.city: ${unknown}`],
  'a nested name of JavaScript': [rules(JSON.parse('{"__proto__":1}') as object), `0.when.__proto__: ${unknown}`],
  'two destinations': [[{ when: {}, then: { ...to, app: true } }], `0.then: ${oneOfFour}`],
  'no destination in then': [[{ when: {}, then: {} }], `0.then: ${oneOfFour}`],
  'parameters of a store': [
    [{ when: {}, then: { store: true, params: {} } }],
    '0.then: params requires url or variants',
  ],
  'a URL beside variants': [
    [{ when: {}, then: { ...to, variants: [aVariant('A'), aVariant('B')] } }],
    `0.then: ${oneOfFour}`,
  ],
  'one variant': [[{ when: {}, then: { variants: [aVariant('A')] } }], '0.then.variants: must have at least 2 items'],
  'store: false': [[{ when: {}, then: { store: false } }], '0.then.store: must be true'],
  'a URL that runs code': [
    [{ when: {}, then: { url: 'javascript:alert(1)' } }],
    '0.then.url: must be an absolute http or https URL',
  ],
  'an unknown platform': [
    rules({ platforms: ['amiga'] }),
    '0.when.platforms.0: must be one of ios, ipados, android, windows, macos, linux, chromeos, other',
  ],
  'no platform': [rules({ platforms: [] }), '0.when.platforms: must have at least 1 item'],
  'an unknown country': [rules({ countries: ['DE', 'QQ'] }), `0.when.countries.1: ${aCountry}`],
  'the unknown country of proxies': [rules({ countries: ['XX'] }), `0.when.countries.0: ${aCountry}`],
  'a former country code': [rules({ countries: ['UK'] }), `0.when.countries.0: ${aCountry}`],
  'the unknown country of Unicode': [rules({ countries: ['ZZ'] }), `0.when.countries.0: ${aCountry}`],
  'a country of three letters': [rules({ countries: ['DEU'] }), `0.when.countries.0: ${aCountry}`],
  'an unknown language': [rules({ languages: ['qq'] }), `0.when.languages.0: ${aLanguage}`],
  'a language with a pattern': [rules({ languages: ['de-*'] }), `0.when.languages.0: ${aLanguage}`],
  'a language behind a digit': [rules({ languages: ['1de'] }), `0.when.languages.0: ${aLanguage}`],
  'a 29th of February that does not exist': [rules({ from: '2027-02-29T00:00:00Z' }), `0.when.from: ${aTime}`],
  'a time without an offset': [rules({ from: '2027-02-28T00:00:00' }), `0.when.from: ${aTime}`],
  'a host with a path': [rules({ referring_hosts: ['example.com/(a+)+$'] }), `0.when.referring_hosts.0: ${aHost}`],
  'a host behind a slash': [rules({ referring_hosts: ['/example.com'] }), `0.when.referring_hosts.0: ${aHost}`],
  'a network with too many bits': [
    rules({ networks: ['192.0.2.0/33'] }),
    '0.when.networks.0: must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32',
  ],
  'an empty range of versions': [rules({ app_version: {} }), '0.when.app_version: must have min, max or both'],
  'a version with a word': [rules({ os_version: { min: '16-beta' } }), `0.when.os_version.min: ${aVersion}`],
  'a version behind a letter': [rules({ os_version: { max: 'v16' } }), `0.when.os_version.max: ${aVersion}`],
  'no parameter': [rules({ query: {} }), '0.when.query: must have at least 1 parameter'],
  'a text as parameters': [rules({ query: 'ref' }), '0.when.query: must be an object'],
  'null as parameters': [rules({ query: null }), '0.when.query: must be an object'],
  'a list as parameters': [rules({ query: ['ref'] }), '0.when.query: must be an object'],
  'a parameter without a name': [rules({ query: { '': 'x' } }), '0.when.query.: must not be empty'],
  'a number as the value of a parameter': [rules({ query: { ref: 1 } }), '0.when.query.ref: must be a string'],
  'six parameters': [
    rules({ query: { a: '', b: '', c: '', d: '', e: '', f: '' } }),
    '0.when.query: must have at most 5 parameters',
  ],
  'too many bytes': [
    Array.from({ length: 20 }, (_, at) => ({
      when: { query: { a: String(at) } },
      then: { url: `https://example.com/${'x'.repeat(900)}` },
    })),
    ': must have at most 16384 bytes as JSON',
  ],
};

test.each(Object.entries(refused))('refuses %s', (_, [sent, problem]) => {
  expect(problemsOf(sent)).toEqual([problem]);
});

const behindFirst = '1: can never match, because rules.0 matches all of its visitors before it';

const impossible: Record<string, [conditions: object[], why: string]> = {
  'a reserved parameter': [
    [{ query: { _via: 'qr' } }],
    '0.when.query._via: can never match, because the service removes this parameter',
  ],
  'an end before the start': [
    [{ from: '2027-01-02T00:00:00Z', until: '2027-01-01T00:00:00Z' }],
    '0: can never match, because until is not after from',
  ],
  'an end at the start': [
    [{ from: '2027-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z' }],
    '0: can never match, because until is not after from',
  ],
  'versions in the wrong order': [
    [{ os_version: { min: '17.1', max: '17.0' } }],
    '0.when.os_version: can never match, because min 17.1 is above max 17.0',
  ],
  'a version of Windows': [
    [{ platforms: ['windows'], os_version: { min: '10' } }],
    '0: can never match, because the service knows versions of ios, ipados and android only',
  ],
  'an app of Linux': [
    [{ platforms: ['linux'], app_version: { min: '1' } }],
    '0: can never match, because only apps of ios, ipados and android have an app_version',
  ],
  'an app in a browser': [
    [{ browsers: ['Safari'], app_version: { min: '1' } }],
    '0: can never match, because the request of an app has an app_version, and only a visit has what browsers compares',
  ],
  'the same twice': [[{ countries: ['DE'] }, { countries: ['DE'] }], behindFirst],
  'any rule behind one without conditions': [
    [{ qr: true }, {}, { qr: false }],
    '2: can never match, because rules.1 matches all of its visitors before it',
  ],
  'a part of a list': [[{ platforms: ['ios', 'android'] }, { platforms: ['android'], qr: true }], behindFirst],
  'a region of a language': [[{ languages: ['de'] }, { languages: ['de-AT'] }], behindFirst],
  'a narrower time': [
    [{ from: '2027-01-01T00:00:00Z' }, { from: '2027-02-01T00:00:00Z', until: '2027-03-01T00:00:00Z' }],
    behindFirst,
  ],
  'a value of a parameter': [[{ query: { ref: null } }, { query: { ref: 'x', a: 'b' } }], behindFirst],
  'the same value of a parameter': [[{ query: { ref: 'x' } }, { query: { ref: 'x', a: 'b' } }], behindFirst],
  'the same start': [[{ from: '2027-01-01T00:00:00Z' }, { from: '2027-01-01T00:00:00Z', qr: true }], behindFirst],
  'the same end': [[{ until: '2027-01-01T00:00:00Z' }, { until: '2027-01-01T00:00:00Z', qr: true }], behindFirst],
  'the same kind of visit': [[{ qr: true }, { qr: true, countries: ['DE'] }], behindFirst],
  'one of several languages': [[{ languages: ['en', 'de'] }, { languages: ['de-AT'] }], behindFirst],
  'one of several hosts': [[{ referring_hosts: ['*.a.de', 'b.de'] }, { referring_hosts: ['b.de'] }], behindFirst],
  'the same network': [[{ networks: ['192.0.2.0/24'] }, { networks: ['192.0.2.0/24'], qr: true }], behindFirst],
  'versions of an app inside': [[{ app_version: { min: '2' } }, { app_version: { min: '2.1' } }], behindFirst],
  'a host below': [
    [{ referring_hosts: ['*.example.com'] }, { referring_hosts: ['a.example.com', '*.b.example.com'] }],
    behindFirst,
  ],
  'a network inside': [
    [{ networks: ['192.0.2.0/24', '2001:db8::/32'] }, { networks: ['192.0.2.7', '2001:db8:1::/48'] }],
    behindFirst,
  ],
  'versions inside': [
    [{ os_version: { min: '16', max: '17' } }, { os_version: { min: '16.1', max: '17.9' } }],
    behindFirst,
  ],
};

test.each(Object.entries(impossible))('names %s as impossible', (_, [conditions, why]) => {
  expect(problemsOf(rules(...conditions))).toEqual([why]);
});

const possible: Record<string, object[]> = {
  'a wider list': [{ countries: ['DE'] }, { countries: ['DE', 'AT'] }],
  'fewer conditions': [{ countries: ['DE'], qr: true }, { countries: ['DE'] }],
  'a language that has the other as a prefix of its text': [{ languages: ['fi'] }, { languages: ['fil'] }],
  'the language of a region': [{ languages: ['de-AT'] }, { languages: ['de'] }],
  'a longer prefix of versions': [{ os_version: { max: '16.4' } }, { os_version: { max: '16' } }],
  'a host itself beside those below': [{ referring_hosts: ['*.example.com'] }, { referring_hosts: ['example.com'] }],
  'a host that ends with the same text': [
    { referring_hosts: ['*.example.com'] },
    { referring_hosts: ['anexample.com'] },
  ],
  'a wider network': [{ networks: ['192.0.2.0/24'] }, { networks: ['192.0.0.0/16'] }],
  'a wider network of the same address': [{ networks: ['192.0.2.0/24'] }, { networks: ['192.0.2.0/23'] }],
  'a narrower network elsewhere': [{ networks: ['192.0.2.0/24'] }, { networks: ['198.51.100.7'] }],
  'one more host': [{ referring_hosts: ['example.com'] }, { referring_hosts: ['example.com', 'example.org'] }],
  'a host that the other one ends with': [{ referring_hosts: ['nexample.com'] }, { referring_hosts: ['example.com'] }],
  'fewer parameters': [{ query: { a: '1', b: '2' } }, { query: { a: '1' } }],
  'any value of a parameter': [{ query: { ref: 'x' } }, { query: { ref: null } }],
  'the contrary': [{ qr: true }, { qr: false }],
  'an open end': [{ until: '2027-01-01T00:00:00Z' }, { from: '2026-01-01T00:00:00Z' }],
};

test.each(Object.entries(possible))('accepts a rule behind another for %s', (_, conditions) => {
  expect(problemsOf(rules(...conditions))).toEqual([]);
});

test.each<[outer: VersionRange, inner: VersionRange, isWithin: boolean]>([
  [{ min: '16' }, { min: '16' }, true],
  [{ min: '16' }, { max: '17' }, false],
  [{ max: '17' }, { max: '17' }, true],
  [{ max: '17' }, { max: '18' }, false],
  // The end is a prefix: 15 includes 15.9.
  [{ max: '16.4' }, { max: '15' }, true],
  [{ max: '16.4.1' }, { max: '16.3' }, true],
  [{ max: '16.4.1' }, { max: '17.3' }, false],
])('the versions %j include %j: %p', (outer, inner, isWithin) => {
  expect(isRangeWithin(inner, outer)).toBe(isWithin);
});

const [app, store] = [{ app: true }, { store: true }];

test.each<[ios: boolean, android: boolean, ...rules: [when: object, then: object][]]>([
  [false, false],
  [true, true, [{ platforms: ['ios', 'ipados', 'android'] }, to]],
  [false, false, [{ platforms: ['ios'] }, to]],
  [false, false, [{ platforms: ['ipados'] }, to]],
  [true, false, [{ platforms: ['android'] }, app], [{}, to]],
  [false, false, [{ qr: true }, app], [{}, to]],
  [false, false, [{ qr: true }, store], [{}, to]],
  [false, false, [{ qr: true }, to]],
  [true, true, [{ qr: true }, to], [{}, to]],
  // An app that asks has opened the link.
  [true, true, [{ app_version: { max: '2' } }, app], [{}, to]],
])('everybody gets to the web on iOS: %p, on Android: %p by the rules %j %j', (ios, android, ...pairs) => {
  expect(webPlatforms(pairs.map(([when, then]) => ({ when, then }) as LinkRule))).toEqual({ ios, android });
});

test('describes rules, conditions and variants', () => {
  const object = { type: 'object', properties: { qr: { type: 'boolean' } }, additionalProperties: false };
  expect(objectRule({ qr: jsonBoolean }).schema).toStrictEqual(object);
  const named = { ...object, title: 'Name', required: ['qr'] };
  expect(objectRule({ qr: jsonBoolean }, ['qr'], 'Name').schema).toStrictEqual(named);
  expect(linkRules.schema.items).toMatchObject({
    title: 'LinkRule',
    properties: { then: { properties: { store: { type: 'boolean' }, variants: { items: { title: 'Variant' } } } } },
  });
  expect(when.schema.properties).toMatchObject({
    countries: { items: { minLength: 2, maxLength: 2, pattern: '^[A-Za-z]{2}$' } },
    query: {
      type: 'object',
      additionalProperties: { maxLength: 500 },
      propertyNames: { minLength: 1, maxLength: 100 },
    },
  });
});

test('names the destinations of rules', () => {
  const json = linkRules.parse([
    { when: { qr: true }, then: { store: true } },
    { when: {}, then: { url: 'https://bücher.example', params: { a: 'b' } } },
  ]);
  expect(urlsOfRules(json)).toEqual({ 'rules.1.then.url': 'https://xn--bcher-kva.example/' });
  expect(rulesOf(json)[1]!.then).toEqual({ url: 'https://xn--bcher-kva.example/', params: { a: 'b' } });
  expect(urlsOfRules(null)).toEqual({});
});

const refusedVariants: Record<string, [sent: unknown, problem: string]> = {
  'no list': ['A', ': must be an array'],
  'one variant': [[aVariant('A')], ': must have at least 2 items'],
  'six variants': [['A', 'B', 'C', 'D', 'E', 'F'].map((name) => aVariant(name)), ': must have at most 5 items'],
  'no weight above 0': [
    [aVariant('A', 0), aVariant('B', 0)],
    ': must have at least 1 weight above 0; to end all variants, set variants to null',
  ],
  'a name twice': [[aVariant('A'), aVariant('B'), aVariant('A')], '2.name: must differ from the names before it'],
  'no name': [[{ url: to.url, weight: 1 }, aVariant('B')], '0.name: is required'],
  'no weight': [[{ name: 'A', url: to.url }, aVariant('B')], '0.weight: is required'],
  'an empty name': [[aVariant(''), aVariant('B')], '0.name: must not be empty'],
  'a name of spaces': [[aVariant(' '), aVariant('B')], '0.name: must not be only white space'],
  'a name with a line feed': [[aVariant('A\n'), aVariant('B')], '0.name: must have no control characters'],
  'a name behind a line feed': [[aVariant('\nA'), aVariant('B')], '0.name: must have no control characters'],
  'a long name': [[aVariant('A'.repeat(51)), aVariant('B')], '0.name: must have at most 50 characters'],
  'a negative weight': [[aVariant('A', -1), aVariant('B')], '0.weight: must be at least 0'],
  'a weight above 100': [[aVariant('A', 101), aVariant('B')], '0.weight: must be at most 100'],
  'half a weight': [[aVariant('A', 0.5), aVariant('B')], '0.weight: must be an integer'],
  'no URL': [[{ name: 'A', weight: 1 }, aVariant('B')], '0.url: is required'],
  'a URL that runs code': [
    [aVariant('A'), aVariant('B', 1, 'javascript:alert(1)')],
    '1.url: must be an absolute http or https URL',
  ],
  'an unknown field': [[{ ...aVariant('A'), id: 1 }, aVariant('B')], '0.id: is unknown; use one of name, url, weight'],
};

test.each(Object.entries(refusedVariants))('refuses variants with %s', (_, [sent, problem]) => {
  expect(problemsOf(sent, linkVariants)).toEqual([problem]);
});

test('stores variants in one form', () => {
  const json = linkVariants.parse([{ weight: 100, url: 'https://shop.example.com', name: 'Ä 1' }, aVariant('B', 0)]);
  expect(json).toBe(JSON.stringify([aVariant('Ä 1', 100), aVariant('B', 0)]));
  expect(variantsOf(json)).toEqual([aVariant('Ä 1', 100), aVariant('B', 0)]);
  expect(variantsOf(null)).toEqual([]);
  expect(urlsOfVariants(variantsOf(json))).toEqual({ 'variants.0.url': to.url, 'variants.1.url': to.url });
  expect(urlsOfRules(linkRules.parse([{ when: {}, then: { variants: variantsOf(json), params: {} } }]))).toEqual({
    'rules.0.then.variants.0.url': to.url,
    'rules.0.then.variants.1.url': to.url,
  });
});

test.each<[code: string, ...cases: string[]]>([
  ['unrecognized_key', 'an unknown condition'],
  ['required', 'an empty range of versions'],
  ['too_small', 'no parameter', 'no weight above 0'],
  ['too_big', 'six parameters', 'too many bytes'],
  ['invalid_format', 'no destination in then', 'parameters of a store', 'store: false', 'an unknown country'],
  ['invalid_format', 'an unknown language', 'a name twice', ...Object.keys(impossible)],
])('the code is %s for %s', (code, ...cases) => {
  for (const name of cases) {
    const [sent] = refused[name] ?? refusedVariants[name] ?? [rules(...impossible[name]![0])];
    const rule = name in refusedVariants ? linkVariants : linkRules;
    expect(rule.safeParse(sent)).toMatchObject({ problems: [{ code }] });
  }
});
