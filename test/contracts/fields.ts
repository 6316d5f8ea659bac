import type { Problem } from '../../src/shared/problem';
import type { Field as TableField } from '../../src/shared/field-table';
import {
  linkFieldEntries,
  type LinkFieldKind,
  linkFields,
  readableLinkFields,
} from '../../src/links/dynamic-links/link-fields';
import { aFingerprint, inAMonth, unknownId } from '../support/builders';
import { words } from '../support/words';

/** A body field with its accepted and refused values. */
export interface Field {
  type: 'a string' | 'a boolean' | 'an integer' | 'an array' | 'an object';
  /** The operation that takes the field; both if absent. */
  only?: 'create' | 'update';
  required?: true;
  /** Update accepts null, which clears the field. */
  nullable?: true;
  /** Distinct values that are stored as sent. */
  accepts: unknown[];
  refuses: Refused[];
}

/** The path is that inside the value. */
type Refused = [value: unknown, code: Problem['code'], ...path: (string | number)[]];

/** Makes a function that gives values the code of their refusal. */
const refusedAs =
  (code: Problem['code']) =>
  (...values: unknown[]) =>
    values.map((value): Refused => [value, code]);
const malformed = refusedAs('invalid_format');
const tooSmall = refusedAs('too_small');
const tooBig = refusedAs('too_big');
const unlisted = refusedAs('invalid_enum_value');

/** Makes a function that describes fields of this type by their accepted values and groups of refused ones. */
const typed =
  (type: Field['type']) =>
  (accepts: unknown[], ...refused: Refused[][]): Field => ({ type, accepts, refuses: refused.flat() });
const text = typed('a string');
const list = typed('an array');
const object = typed('an object');

const required = (field: Field): Field => ({ ...field, required: true });
const nullable = (field: Field): Field => ({ ...field, nullable: true });
const onlyIn = (only: 'create' | 'update', field: Field): Field => ({ ...field, only });

/** Returns this number of different texts. */
const texts = (count: number, textOf: (at: number) => string) => Array.from({ length: count }, (_, at) => textOf(at));

const displayName = required(
  text(
    [
      'a',
      'a'.repeat(100),
      '😀'.repeat(100),
      'e\u0301'.repeat(50),
      ' \ta name\n ',
      ' <b>"name"</b>&amp;<script>alert(1)</script>',
      "'; DROP TABLE projects;--",
      'control characters \u0001\u001f\u007f\u0085',
      'noncharacters and private use \uffff\ufdd0\ue000',
      'right to left \u202e, byte order mark \ufeff',
      '\u200b',
    ],
    tooSmall('', ' ', ' \t\r\n\u00a0\u2003\u3000'),
    tooBig('a'.repeat(101), '😀'.repeat(101)),
    malformed('a\0b'),
  ),
);

const subdomain = required(
  text(
    ['q1', 'x'.repeat(63), '0123456789', 'a--b', 'a-xn--b'],
    tooSmall('', 'a'),
    tooBig('a'.repeat(64)),
    malformed(...words('-ab ab- -- Summer a_b a.b sümmer ѕummer ａｂｃ a/b xn--bcher-kva')),
    malformed('summer ', 'summer\n', 'a\u212ab'),
  ),
);

const bundleId = text(
  ['a', 'Com.Example.Shop-2', 'com.example.my_app', '_', 'b'.repeat(155), '0-.-0'],
  tooSmall(''),
  tooBig('b'.repeat(156)),
  malformed(...words('. .com.example com.example. com..example com.example.ü com.example.*')),
  malformed('com.example.my app', 'com.example\n', 'com\0example'),
);

const teamId = text(
  ['0123456789', 'ZZZZZZZZZZ'],
  tooSmall('', 'ABCDE1234'),
  tooBig('ABCDE123456'),
  malformed('abcde12345', 'ABCDE-1234', 'ABCDE1234\n', 'ABCDE1234Ä'),
);

const appStoreId = text(
  ['0', '007', '9'.repeat(20)],
  tooSmall(''),
  tooBig('1'.repeat(21), `id${'1'.repeat(21)}`),
  malformed('idid1', 'id', '-1', '1.0', ' 1', '１２'),
);

const packageName = text(
  ['a.b', 'Com.Example_2.shop__', 'a.b1.c_.D9', `a.${'b'.repeat(253)}`, texts(128, () => 'a').join('.')],
  tooBig(`a.${'b'.repeat(254)}`),
  malformed(
    ...words(`
      shop .com.example com.example. com..example 1com.example com.2example com._example com.exam-ple com.exämple
    `),
    ...['', 'com.exam ple', 'com.example\n', ' com.example', 'com.exam\0ple'],
  ),
);

/** identifiers.spec.ts tests the items. */
const fingerprints = list(
  [[aFingerprint(9)], [aFingerprint(3), aFingerprint(2)]],
  tooBig(texts(51, () => aFingerprint(1))),
  [[[aFingerprint(1), 'x'], 'invalid_format', 1]],
);

const androidStores = object(
  [
    {},
    { appgallery: 'C1', amazon: 'a.b', samsung: 'Com.Example_2.shop' },
    { appgallery: `C${'9'.repeat(19)}` },
    { samsung: 'com.example.shop' },
  ],
  [
    [{ google: 'com.example.shop' }, 'invalid_enum_value', 'google'],
    [{ constructor: 'com.example.shop' }, 'invalid_enum_value', 'constructor'],
    [{ appgallery: `C${'9'.repeat(20)}` }, 'too_big', 'appgallery'],
    [{ appgallery: 'com.example.shop' }, 'invalid_format', 'appgallery'],
    [{ appgallery: 'https://appgallery.huawei.com/app/C1' }, 'too_big', 'appgallery'],
    [{ amazon: 'shop' }, 'invalid_format', 'amazon'],
    [{ amazon: null }, 'invalid_type', 'amazon'],
    [{ samsung: 1 }, 'invalid_type', 'samsung'],
  ],
);

const keys = (count: number) => Object.fromEntries(texts(count, (at) => `k${at}`).map((key, at) => [key, at]));

const appData = object(
  [
    {},
    { b: 'text', a: -0.5, z: true, 10: '', product: { id: 42, name: '😀', constructor: 'x' } },
    keys(50),
    { inner: keys(49) },
    { a: 'x'.repeat(4088) },
    { ['😀'.repeat(100)]: false },
  ],
  tooBig(keys(51), { inner: keys(50) }, { a: 'x'.repeat(4089) }, { a: '😀'.repeat(1023) }),
  [
    [{ '': 1 }, 'too_small', ''],
    [{ a: null }, 'invalid_type', 'a'],
    [{ a: [1] }, 'invalid_type', 'a'],
    [{ a: 'x\0' }, 'invalid_type', 'a'],
    [{ a: { b: {} } }, 'invalid_type', 'a', 'b'],
    [{ a: { b: null } }, 'invalid_type', 'a', 'b'],
  ],
);

/** app-paths.spec.ts tests the patterns. */
const appPaths = nullable(list([[], ['/*'], ['/shop/*', '/sale']], tooBig(texts(51, (at) => `/${at}`))));

const tagName = required(
  text(
    ['a', ' b ', 'x'.repeat(50), '😀'.repeat(50), 'c,d;e|f', '"><script>alert(1)</script>', 'ß\nü\u0001'],
    tooSmall('', ' \t\u00a0'),
    tooBig('a'.repeat(51), '😀'.repeat(51)),
    malformed('a\0b'),
  ),
);

/** tag.spec.ts tests the items. */
const tags = list([[], ['b', 'a'], ['a'], texts(20, (at) => `tag ${at}`)], tooBig(texts(21, (at) => `tag ${at}`)));

const flag: Field = { type: 'a boolean', accepts: [true, false], refuses: [] };

const integer = (min: number, max: number): Field => ({
  type: 'an integer',
  accepts: [min, max],
  refuses: [...tooSmall(min - 1), ...tooBig(max + 1), [1.5, 'invalid_type']],
});

const optionalText = (max: number): Field =>
  nullable(
    text(
      ['', ' ', 'a'.repeat(max), '😀'.repeat(max), '"><script>alert(1)</script>', 'two\nlines\u0001\u0085'],
      tooBig('a'.repeat(max + 1), '😀'.repeat(max + 1)),
    ),
  );

const externalId = nullable(
  text(
    ['a', 'A', ' a ', '😀'.repeat(255), 'crm/4711?x=%2F#y', '...', '.a', 'ü\u2028"\'<>'],
    tooSmall('', ' \u00a0'),
    tooBig('a'.repeat(256), '😀'.repeat(256)),
    malformed('.', '..', 'a\nb', 'a\tb', 'a\u007f', 'a\u0085'),
  ),
);

/** destination-url.spec.ts tests the rule of URLs. */
const url = nullable(
  text(['https://example.org/'], malformed('javascript:alert(1)'), tooBig(`https://${'ü'.repeat(3000)}/`)),
);

const moment = (accepted: string): Field =>
  nullable(text([accepted], malformed('2027-01-31', '2027-02-29T00:00:00Z', '1769900400000')));

/** link-rules.spec.ts tests the conditions. */
const rules = nullable(list([[{ when: { countries: ['DE'] }, then: { url: 'https://example.org/' } }]], tooSmall([])));

const aVariant = (name: string, weight: number) => ({ name, url: 'https://example.org/', weight });

/** link-rules.spec.ts tests their values. */
const variants = nullable(
  list(
    [[aVariant('A', 100), aVariant('B', 0)]],
    tooSmall([aVariant('A', 1)]),
    tooBig([...'ABCDEF'].map((name) => aVariant(name, 1))),
  ),
);

const reference = text(
  [],
  malformed('nonsense', '', `{${unknownId}}`, unknownId.replaceAll('-', ''), `${unknownId}\n`, ` ${unknownId}`),
  malformed(`urn:uuid:${unknownId}`),
);

const slug = text(
  ['abc', '000', 'a-b', 'a_b', 'a--__--b', 'x'.repeat(20), `a${'-'.repeat(18)}b`, 'robots'],
  tooSmall('', 'ab'),
  tooBig('x'.repeat(21)),
  malformed(...words('-ab _ab ab- ab_ --- Abc a.b a/b a~b äbc a%2Fb'), ...['a b', 'abc\n', 'ab\0c']),
);

const customPath = text(
  [
    ...words(`
      a 7 summer Summer a/b a/b/c/d/e/f a-b_c.d~e a- a...b a/.b a/..b a/- a/_/~ robots.txt2 robots.txt/a a/robots.txt
      Robots.txt FAVICON.ICO api null constructor
    `),
    ...['b'.repeat(50), `c/${'d'.repeat(48)}`],
  ],
  tooSmall(''),
  tooBig('a'.repeat(51), `a/${'b'.repeat(49)}`, '😀'.repeat(51)),
  malformed(
    ...words(`
      /a a/ / a//b . .. a. a.. a./b a/b. a/b.. a/... a/. a/.. a/./b a/../b ../a .a -a _a ~a
      .well-known/assetlinks.json a%20b a%2e%2e a?b a#b a:b a@b a+b a&b é aé a😀 а ａ robots.txt favicon.ico
      apple-app-site-association
    `),
    ...['😀'.repeat(50), 'a/b c', 'a b', ' a', 'a\n', 'a\t', 'a\\b', 'a\u200b'],
  ),
);

type Fields = Record<string, Field>;

/** destination-host.spec.ts tests the hosts. */
const longLinkDestinations = list(
  [[], ['shop.example.com'], ['*.example.com', 'shop.example.com:8443']],
  tooBig(texts(51, (at) => `h${at}.example.com`)),
);

const forwardedParams = list([[], ['utm_source', 'ä b'], ['*']], tooBig(texts(51, (at) => `p${at}`)), [
  [[''], 'too_small', 0],
]);

const queryForwarding = text(['all', 'none', 'listed'], unlisted('some'));

/** destination-url.spec.ts tests the schemes. */
const allowedSchemes = list(
  [[], ['mailto', 'tel', 'com.example.shop', 'web+a-b', 'itms-apps']],
  tooBig(texts(21, (at) => `s${at}`)),
);

const templateName = text([], tooSmall('', ' '), tooBig('x'.repeat(61)), malformed('a\nb'));

export const projectFields: Fields = {
  name: displayName,
  subdomain,
  long_link_destinations: longLinkDestinations,
  root_url: url,
  not_found_url: url,
  expired_url: url,
  query_forwarding: queryForwarding,
  forwarded_params: forwardedParams,
  allowed_schemes: allowedSchemes,
  // A key cannot change a list that has hosts.
  destination_hosts: { ...longLinkDestinations, accepts: [[], ['*.example.com', 'example.org', 'example.com']] },
  release_guard: text(['refuse', 'warn', 'off'], unlisted('on')),
  retire_releases_after_days: nullable(integer(1, 3650)),
  retire_releases_below_percent: nullable(integer(1, 50)),
  conversions: flag,
  click_id_param: text(
    ['click_id', 'x', 'A-1._', 'c'.repeat(50)],
    tooSmall(''),
    tooBig('c'.repeat(51)),
    malformed('a b', 'a=b', 'ä', '_via', 'deferred_link'),
  ),
  conversion_window_days: integer(1, 90),
};

export const iosAppFields: Fields = {
  name: displayName,
  bundle_id: required(bundleId),
  team_id: required(teamId),
  appstore_id: nullable(appStoreId),
  app_clip_bundle_id: nullable(bundleId),
  paths: appPaths,
  shared_credentials: flag,
};

export const androidAppFields: Fields = {
  name: displayName,
  package_name: required(packageName),
  sha_fingerprints: required(fingerprints),
  android_stores: nullable(androidStores),
  paths: appPaths,
  shared_credentials: flag,
};

const releaseFields: Fields = {
  version: required(
    text(
      ['1', '1.2.3', '1.2.3-rc.1+45', '2024.1_(7)', 'x'.repeat(50)],
      tooSmall(''),
      tooBig('1'.repeat(51)),
      malformed('1,2', ' 1', '1 2', '-1', '.1', '1/2', 'ü', '1\n'),
    ),
  ),
  hosts: required(
    list(
      [['go.example.com'], ['*.example.com', 'go.example.org']],
      tooSmall([]),
      tooBig(texts(51, (at) => `h${at}.example.com`)),
      [[['https://go.example.com'], 'invalid_format', 0]],
    ),
  ),
  paths: appPaths,
};

export const iosReleaseFields: Fields = { ...releaseFields, bundle_id: bundleId, retired: flag };

export const androidReleaseFields: Fields = {
  ...releaseFields,
  package_name: packageName,
  sha_fingerprints: { ...fingerprints, refuses: [...fingerprints.refuses, ...tooSmall([])] },
  retired: flag,
};

/** Fields of links with another rule than those of their kind. */
const ownRules: Fields = {
  name: displayName,
  external_id: externalId,
  // It must be the name of a template.
  template: nullable(templateName),
};

const ofLinks: Record<LinkFieldKind, (field: TableField) => Field> = {
  text: ({ rule }) => optionalText(rule.schema.maxLength!),
  exactText: ({ rule }) => optionalText(rule.schema.maxLength!),
  path: () => customPath,
  url: () => url,
  app: () => nullable(reference),
  flag: () => flag,
  params: () => nullable(object([{ ref: 'x' }, {}])),
  json: () => nullable(appData),
  // They must not be the same.
  moment: ({ example }) => moment(example as string),
  variants: () => variants,
  rules: () => rules,
  // Its answer is has_password.
  secret: ({ rule }) => text([], tooSmall(''), tooBig('x'.repeat(rule.schema.maxLength! + 1))),
  count: () => nullable(integer(1, 2_147_483_647)),
  forwarding: () => nullable(queryForwarding),
  names: () => forwardedParams,
  tags: () => tags,
};

export const dynamicLinkFields: Fields = Object.fromEntries(
  linkFieldEntries.map(([name, field]) => [name, ownRules[name] ?? ofLinks[field.kind](field)]),
);

export const tagFields: Fields = { name: tagName };

export const templateFields: Fields = {
  name: {
    ...required(onlyIn('create', templateName)),
    accepts: ['a', ' b ', 'x'.repeat(60), '"><script>alert(1)</script>'],
  },
  referrer_params: ofLinks.params(linkFields.referrer_params),
  rules,
};

export const shareFields: Fields = {
  name: onlyIn('create', displayName),
  dynamic_link_id: reference,
  tag_id: reference,
  timezone: text(['Europe/Vienna', 'UTC'], malformed('+01:00', 'Europe/Atlantis')),
  expires_at: required(
    text([inAMonth()], malformed('2026-01-01'), tooSmall('2026-01-01T00:00:00Z'), tooBig('2099-01-01T00:00:00Z')),
  ),
  password: text([], tooSmall('seven77'), tooBig('x'.repeat(201))),
};

export const shortLinkFields: Fields = { dynamic_link_id: required(reference), slug };

export const customDomainFields: Fields = {
  hostname: required(
    onlyIn('create', text(['links.example.org', 'xn--bcher-kva.example.org'], tooSmall(''), malformed('links'))),
  ),
  active: onlyIn('update', { ...flag, accepts: [] }),
};

export const apiKeyFields: Fields = {
  name: displayName,
  destination_hosts: nullable(list([['shop.example.com'], ['*.example.com']], tooSmall([]))),
  expires_at: onlyIn('create', text(['2099-01-01T00:00:00.000Z'])),
};

export const webhookFields: Fields = {
  url: required(
    text(
      ['https://hooks.example.com/events?key=1'],
      malformed('', 'http://hooks.example.com/', 'https://192.0.2.1/', 'https://[2001:db8::1]/'),
      malformed('https://user@hooks.example.com/', 'ftp://hooks.example.com/'),
    ),
  ),
  description: nullable(text(['', 'Search index'], tooBig('x'.repeat(201)))),
  event_types: nullable(
    list([['link.*'], ['link.updated', 'domain.proof_lost']], tooSmall([]), tooBig(texts(51, () => 'link.*'))),
  ),
  tag_ids: nullable(list([['0198c0de-7e57-7000-8000-000000000006']], tooSmall([]))),
  per_link: flag,
  enabled: { ...flag, accepts: [false] },
};

/** Returns the fields of a table and their defaults in bodies. */
export const defaultsIn = (table: Record<string, TableField>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  );

export const linkDefaults = defaultsIn(readableLinkFields);

/** The fields of links with their examples. Those of flags are the opposites of their defaults. */
export const linkExamples: Record<string, unknown> = Object.fromEntries(
  linkFieldEntries.map(([name, { kind, example }]) => [name, kind === 'flag' ? !linkDefaults[name] : example]),
);

/** The fields of links that are plain texts, and examples of them. */
export const textExamples: Record<string, unknown> = Object.fromEntries(
  linkFieldEntries.flatMap(([name, { kind, example }]) => (kind === 'text' ? [[name, example]] : [])),
);
