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
  /** The path is that inside the value. */
  refuses: [value: unknown, code: Problem['code'], ...path: (string | number)[]][];
}

const malformed = (...values: unknown[]) =>
  values.map((value): [unknown, 'invalid_format'] => [value, 'invalid_format']);

const displayName: Field = {
  type: 'a string',
  required: true,
  accepts: [
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
  refuses: [
    ['', 'too_small'],
    [' ', 'too_small'],
    [' \t\r\n\u00a0\u2003\u3000', 'too_small'],
    ['a'.repeat(101), 'too_big'],
    ['😀'.repeat(101), 'too_big'],
    ['a\0b', 'invalid_format'],
  ],
};

const subdomain: Field = {
  type: 'a string',
  required: true,
  accepts: ['q1', 'x'.repeat(63), '0123456789', 'a--b', 'a-xn--b'],
  refuses: [
    ['', 'too_small'],
    ['a', 'too_small'],
    ['a'.repeat(64), 'too_big'],
    ...malformed(
      ...words('-ab ab- -- Summer a_b a.b sümmer ѕummer ａｂｃ a/b xn--bcher-kva'),
      ...['summer ', 'summer\n', 'a\u212ab'],
    ),
  ],
};

const bundleId: Field = {
  type: 'a string',
  required: true,
  accepts: ['a', 'Com.Example.Shop-2', 'com.example.my_app', '_', 'b'.repeat(155), '0-.-0'],
  refuses: [
    ['', 'too_small'],
    ['b'.repeat(156), 'too_big'],
    ...malformed(
      ...words('. .com.example com.example. com..example com.example.ü com.example.*'),
      ...['com.example.my app', 'com.example\n', 'com\0example'],
    ),
  ],
};

const teamId: Field = {
  type: 'a string',
  required: true,
  accepts: ['0123456789', 'ZZZZZZZZZZ'],
  refuses: [
    ['', 'too_small'],
    ['ABCDE1234', 'too_small'],
    ['ABCDE123456', 'too_big'],
    ['abcde12345', 'invalid_format'],
    ['ABCDE-1234', 'invalid_format'],
    ['ABCDE1234\n', 'invalid_format'],
    ['ABCDE1234Ä', 'invalid_format'],
  ],
};

const appStoreId: Field = {
  type: 'a string',
  nullable: true,
  accepts: ['0', '007', '9'.repeat(20)],
  refuses: [
    ['', 'too_small'],
    ['1'.repeat(21), 'too_big'],
    ['idid1', 'invalid_format'],
    ['id', 'invalid_format'],
    [`id${'1'.repeat(21)}`, 'too_big'],
    ['-1', 'invalid_format'],
    ['1.0', 'invalid_format'],
    [' 1', 'invalid_format'],
    ['１２', 'invalid_format'],
  ],
};

const packageName: Field = {
  type: 'a string',
  required: true,
  accepts: [
    'a.b',
    'Com.Example_2.shop__',
    'a.b1.c_.D9',
    `a.${'b'.repeat(253)}`,
    Array.from({ length: 128 }, () => 'a').join('.'),
  ],
  refuses: [
    [`a.${'b'.repeat(254)}`, 'too_big'],
    ...malformed(
      ...words(`
        shop .com.example com.example. com..example 1com.example com.2example com._example com.exam-ple com.exämple
      `),
      ...['', 'com.exam ple', 'com.example\n', ' com.example', 'com.exam\0ple'],
    ),
  ],
};

/** identifiers.spec.ts tests the items. */
const fingerprints: Field = {
  type: 'an array',
  required: true,
  accepts: [[aFingerprint(9)], [aFingerprint(3), aFingerprint(2)]],
  refuses: [
    [Array<string>(51).fill(aFingerprint(1)), 'too_big'],
    [[aFingerprint(1), 'x'], 'invalid_format', 1],
  ],
};

const androidStores: Field = {
  type: 'an object',
  nullable: true,
  accepts: [
    {},
    { appgallery: 'C1', amazon: 'a.b', samsung: 'Com.Example_2.shop' },
    { appgallery: `C${'9'.repeat(19)}` },
    { samsung: 'com.example.shop' },
  ],
  refuses: [
    [{ google: 'com.example.shop' }, 'invalid_enum_value', 'google'],
    [{ constructor: 'com.example.shop' }, 'invalid_enum_value', 'constructor'],
    [{ appgallery: `C${'9'.repeat(20)}` }, 'too_big', 'appgallery'],
    [{ appgallery: 'com.example.shop' }, 'invalid_format', 'appgallery'],
    [{ appgallery: 'https://appgallery.huawei.com/app/C1' }, 'too_big', 'appgallery'],
    [{ amazon: 'shop' }, 'invalid_format', 'amazon'],
    [{ amazon: null }, 'invalid_type', 'amazon'],
    [{ samsung: 1 }, 'invalid_type', 'samsung'],
  ],
};

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

const appData: Field = {
  type: 'an object',
  nullable: true,
  accepts: [
    {},
    { b: 'text', a: -0.5, z: true, 10: '', product: { id: 42, name: '😀', constructor: 'x' } },
    keys(50),
    { inner: keys(49) },
    { a: 'x'.repeat(4088) },
    { ['😀'.repeat(100)]: false },
  ],
  refuses: [
    [keys(51), 'too_big'],
    [{ inner: keys(50) }, 'too_big'],
    [{ a: 'x'.repeat(4089) }, 'too_big'],
    [{ a: '😀'.repeat(1023) }, 'too_big'],
    [{ '': 1 }, 'too_small', ''],
    [{ a: null }, 'invalid_type', 'a'],
    [{ a: [1] }, 'invalid_type', 'a'],
    [{ a: 'x\0' }, 'invalid_type', 'a'],
    [{ a: { b: {} } }, 'invalid_type', 'a', 'b'],
    [{ a: { b: null } }, 'invalid_type', 'a', 'b'],
  ],
};

/** app-paths.spec.ts tests the patterns. */
const appPaths: Field = {
  type: 'an array',
  nullable: true,
  accepts: [[], ['/*'], ['/shop/*', '/sale']],
  refuses: [[Array.from({ length: 51 }, (_, at) => `/${at}`), 'too_big']],
};

const tagName: Field = {
  type: 'a string',
  required: true,
  accepts: ['a', ' b ', 'x'.repeat(50), '😀'.repeat(50), 'c,d;e|f', '"><script>alert(1)</script>', 'ß\nü\u0001'],
  refuses: [
    ['', 'too_small'],
    [' \t\u00a0', 'too_small'],
    ['a'.repeat(51), 'too_big'],
    ['😀'.repeat(51), 'too_big'],
    ['a\0b', 'invalid_format'],
  ],
};

/** tag.spec.ts tests the items. */
const tags: Field = {
  type: 'an array',
  accepts: [[], ['b', 'a'], ['a'], Array.from({ length: 20 }, (_, at) => `tag ${at}`)],
  refuses: [[Array.from({ length: 21 }, (_, at) => `tag ${at}`), 'too_big']],
};

const flag: Field = { type: 'a boolean', accepts: [true, false], refuses: [] };

const integer = (min: number, max: number): Field => ({
  type: 'an integer',
  accepts: [min, max],
  refuses: [
    [min - 1, 'too_small'],
    [max + 1, 'too_big'],
    [1.5, 'invalid_type'],
  ],
});

const optionalText = (max: number): Field => ({
  type: 'a string',
  nullable: true,
  accepts: ['', ' ', 'a'.repeat(max), '😀'.repeat(max), '"><script>alert(1)</script>', 'two\nlines\u0001\u0085'],
  refuses: [
    ['a'.repeat(max + 1), 'too_big'],
    ['😀'.repeat(max + 1), 'too_big'],
  ],
});

const externalId: Field = {
  type: 'a string',
  nullable: true,
  accepts: ['a', 'A', ' a ', '😀'.repeat(255), 'crm/4711?x=%2F#y', '...', '.a', 'ü\u2028"\'<>'],
  refuses: [
    ['', 'too_small'],
    [' \u00a0', 'too_small'],
    ['a'.repeat(256), 'too_big'],
    ['😀'.repeat(256), 'too_big'],
    ...malformed('.', '..', 'a\nb', 'a\tb', 'a\u007f', 'a\u0085'),
  ],
};

/** destination-url.spec.ts tests the rule of URLs. */
const url: Field = {
  type: 'a string',
  nullable: true,
  accepts: ['https://example.org/'],
  refuses: [
    ['javascript:alert(1)', 'invalid_format'],
    [`https://${'ü'.repeat(3000)}/`, 'too_big'],
  ],
};

const moment = (accepted: string): Field => ({
  type: 'a string',
  nullable: true,
  accepts: [accepted],
  refuses: malformed('2027-01-31', '2027-02-29T00:00:00Z', '1769900400000'),
});

/** link-rules.spec.ts tests the conditions. */
const rules: Field = {
  type: 'an array',
  nullable: true,
  accepts: [[{ when: { countries: ['DE'] }, then: { url: 'https://example.org/' } }]],
  refuses: [[[], 'too_small']],
};

const aVariant = (name: string, weight: number) => ({ name, url: 'https://example.org/', weight });

/** link-rules.spec.ts tests their values. */
const variants: Field = {
  type: 'an array',
  nullable: true,
  accepts: [[aVariant('A', 100), aVariant('B', 0)]],
  refuses: [
    [[aVariant('A', 1)], 'too_small'],
    [['A', 'B', 'C', 'D', 'E', 'F'].map((name) => aVariant(name, 1)), 'too_big'],
  ],
};

const reference: Field = {
  type: 'a string',
  accepts: [],
  refuses: malformed(
    ...words('nonsense'),
    ...['', `{${unknownId}}`, unknownId.replaceAll('-', ''), `${unknownId}\n`, ` ${unknownId}`],
    `urn:uuid:${unknownId}`,
  ),
};

const slug: Field = {
  type: 'a string',
  accepts: ['abc', '000', 'a-b', 'a_b', 'a--__--b', 'x'.repeat(20), `a${'-'.repeat(18)}b`, 'robots'],
  refuses: [
    ['', 'too_small'],
    ['ab', 'too_small'],
    ['x'.repeat(21), 'too_big'],
    ...malformed(...words('-ab _ab ab- ab_ --- Abc a.b a/b a~b äbc a%2Fb'), ...['a b', 'abc\n', 'ab\0c']),
  ],
};

const customPath: Field = {
  type: 'a string',
  accepts: [
    ...words(`
      a 7 summer Summer a/b a/b/c/d/e/f a-b_c.d~e a- a...b a/.b a/..b a/- a/_/~ robots.txt2 robots.txt/a a/robots.txt
      Robots.txt FAVICON.ICO api null constructor
    `),
    ...['b'.repeat(50), `c/${'d'.repeat(48)}`],
  ],
  refuses: [
    ['', 'too_small'],
    ['a'.repeat(51), 'too_big'],
    [`a/${'b'.repeat(49)}`, 'too_big'],
    ['😀'.repeat(51), 'too_big'],
    ...malformed(
      ...words(`
        /a a/ / a//b . .. a. a.. a./b a/b. a/b.. a/... a/. a/.. a/./b a/../b ../a .a -a _a ~a
        .well-known/assetlinks.json a%20b a%2e%2e a?b a#b a:b a@b a+b a&b é aé a😀 а ａ robots.txt favicon.ico
        apple-app-site-association
      `),
      ...['😀'.repeat(50), 'a/b c', 'a b', ' a', 'a\n', 'a\t', 'a\\b', 'a\u200b'],
    ),
  ],
};

type Fields = Record<string, Field>;

/** destination-host.spec.ts tests the hosts. */
const longLinkDestinations: Field = {
  type: 'an array',
  accepts: [[], ['shop.example.com'], ['*.example.com', 'shop.example.com:8443']],
  refuses: [[Array.from({ length: 51 }, (_, at) => `h${at}.example.com`), 'too_big']],
};

const forwardedParams: Field = {
  type: 'an array',
  accepts: [[], ['utm_source', 'ä b'], ['*']],
  refuses: [
    [Array.from({ length: 51 }, (_, at) => `p${at}`), 'too_big'],
    [[''], 'too_small', 0],
  ],
};

const queryForwarding: Field = {
  type: 'a string',
  accepts: ['all', 'none', 'listed'],
  refuses: [['some', 'invalid_enum_value']],
};

/** destination-url.spec.ts tests the schemes. */
const allowedSchemes: Field = {
  type: 'an array',
  accepts: [[], ['mailto', 'tel', 'com.example.shop', 'web+a-b', 'itms-apps']],
  refuses: [[Array.from({ length: 21 }, (_, at) => `s${at}`), 'too_big']],
};

const templateName: Field = {
  type: 'a string',
  accepts: [],
  refuses: [
    ['', 'too_small'],
    ['x'.repeat(61), 'too_big'],
    [' ', 'too_small'],
    ['a\nb', 'invalid_format'],
  ],
};

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
  release_guard: {
    type: 'a string',
    accepts: ['refuse', 'warn', 'off'],
    refuses: [['on', 'invalid_enum_value']],
  },
  retire_releases_after_days: { ...integer(1, 3650), nullable: true },
  retire_releases_below_percent: { ...integer(1, 50), nullable: true },
  conversions: flag,
  click_id_param: {
    type: 'a string',
    accepts: ['click_id', 'x', 'A-1._', 'c'.repeat(50)],
    refuses: [
      ['', 'too_small'],
      ['c'.repeat(51), 'too_big'],
      ['a b', 'invalid_format'],
      ['a=b', 'invalid_format'],
      ['ä', 'invalid_format'],
      ['_via', 'invalid_format'],
      ['deferred_link', 'invalid_format'],
    ],
  },
  conversion_window_days: integer(1, 90),
};

export const iosAppFields: Fields = {
  name: displayName,
  bundle_id: bundleId,
  team_id: teamId,
  appstore_id: appStoreId,
  app_clip_bundle_id: { ...bundleId, required: undefined, nullable: true },
  paths: appPaths,
  shared_credentials: flag,
};

export const androidAppFields: Fields = {
  name: displayName,
  package_name: packageName,
  sha_fingerprints: fingerprints,
  android_stores: androidStores,
  paths: appPaths,
  shared_credentials: flag,
};

const releaseVersion: Field = {
  type: 'a string',
  required: true,
  accepts: ['1', '1.2.3', '1.2.3-rc.1+45', '2024.1_(7)', 'x'.repeat(50)],
  refuses: [
    ['', 'too_small'],
    ['1'.repeat(51), 'too_big'],
    ...malformed('1,2', ' 1', '1 2', '-1', '.1', '1/2', 'ü', '1\n'),
  ],
};

const releaseHosts: Field = {
  type: 'an array',
  required: true,
  accepts: [['go.example.com'], ['*.example.com', 'go.example.org']],
  refuses: [
    [[], 'too_small'],
    [Array.from({ length: 51 }, (_, at) => `h${at}.example.com`), 'too_big'],
    [['https://go.example.com'], 'invalid_format', 0],
  ],
};

export const iosReleaseFields: Fields = {
  version: releaseVersion,
  hosts: releaseHosts,
  paths: appPaths,
  bundle_id: { ...bundleId, required: undefined },
  retired: flag,
};

export const androidReleaseFields: Fields = {
  version: releaseVersion,
  hosts: releaseHosts,
  paths: appPaths,
  package_name: { ...packageName, required: undefined },
  sha_fingerprints: { ...fingerprints, required: undefined, refuses: [...fingerprints.refuses, [[], 'too_small']] },
  retired: flag,
};

/** Fields of links with another rule than those of their kind. */
const ownRules: Fields = {
  name: displayName,
  external_id: externalId,
  // It must be the name of a template.
  template: { ...templateName, nullable: true },
};

const ofLinks: Record<LinkFieldKind, (field: TableField) => Field> = {
  text: ({ rule }) => optionalText(rule.schema.maxLength!),
  exactText: ({ rule }) => optionalText(rule.schema.maxLength!),
  path: () => customPath,
  url: () => url,
  app: () => ({ ...reference, nullable: true }),
  flag: () => flag,
  params: () => ({ type: 'an object', nullable: true, accepts: [{ ref: 'x' }, {}], refuses: [] }),
  json: () => appData,
  // They must not be the same.
  moment: ({ example }) => moment(example as string),
  variants: () => variants,
  rules: () => rules,
  // Its answer is has_password.
  secret: ({ rule }) => ({
    type: 'a string',
    accepts: [],
    refuses: [
      ['', 'too_small'],
      ['x'.repeat(rule.schema.maxLength! + 1), 'too_big'],
    ],
  }),
  count: () => ({ ...integer(1, 2_147_483_647), nullable: true }),
  forwarding: () => ({ ...queryForwarding, nullable: true }),
  names: () => forwardedParams,
  tags: () => tags,
};

export const dynamicLinkFields: Fields = Object.fromEntries(
  linkFieldEntries.map(([name, field]) => [name, ownRules[name] ?? ofLinks[field.kind](field)]),
);

export const tagFields: Fields = { name: tagName };

export const templateFields: Fields = {
  name: {
    ...templateName,
    required: true,
    only: 'create',
    accepts: ['a', ' b ', 'x'.repeat(60), '"><script>alert(1)</script>'],
  },
  referrer_params: ofLinks.params(linkFields.referrer_params),
  rules,
};

export const shareFields: Fields = {
  name: { ...displayName, required: true, only: 'create' },
  dynamic_link_id: reference,
  tag_id: reference,
  timezone: {
    type: 'a string',
    accepts: ['Europe/Vienna', 'UTC'],
    refuses: [
      ['+01:00', 'invalid_format'],
      ['Europe/Atlantis', 'invalid_format'],
    ],
  },
  expires_at: {
    type: 'a string',
    required: true,
    accepts: [inAMonth()],
    refuses: [
      ['2026-01-01', 'invalid_format'],
      ['2026-01-01T00:00:00Z', 'too_small'],
      ['2099-01-01T00:00:00Z', 'too_big'],
    ],
  },
  password: {
    type: 'a string',
    accepts: [],
    refuses: [
      ['seven77', 'too_small'],
      ['x'.repeat(201), 'too_big'],
    ],
  },
};

export const shortLinkFields: Fields = { dynamic_link_id: { ...reference, required: true }, slug };

export const customDomainFields: Fields = {
  hostname: {
    type: 'a string',
    only: 'create',
    required: true,
    accepts: ['links.example.org', 'xn--bcher-kva.example.org'],
    refuses: [
      ['', 'too_small'],
      ['links', 'invalid_format'],
    ],
  },
  active: { type: 'a boolean', only: 'update', accepts: [], refuses: [] },
};

export const apiKeyFields: Fields = {
  name: displayName,
  destination_hosts: {
    type: 'an array',
    nullable: true,
    accepts: [['shop.example.com'], ['*.example.com']],
    refuses: [[[], 'too_small']],
  },
  expires_at: { type: 'a string', only: 'create', accepts: ['2099-01-01T00:00:00.000Z'], refuses: [] },
};

export const webhookFields: Fields = {
  url: {
    type: 'a string',
    required: true,
    accepts: ['https://hooks.example.com/events?key=1'],
    refuses: [
      ['', 'invalid_format'],
      ['http://hooks.example.com/', 'invalid_format'],
      ['https://192.0.2.1/', 'invalid_format'],
      ['https://[2001:db8::1]/', 'invalid_format'],
      ['https://user@hooks.example.com/', 'invalid_format'],
      ['ftp://hooks.example.com/', 'invalid_format'],
    ],
  },
  description: {
    type: 'a string',
    nullable: true,
    accepts: ['', 'Search index'],
    refuses: [['x'.repeat(201), 'too_big']],
  },
  event_types: {
    type: 'an array',
    nullable: true,
    accepts: [['link.*'], ['link.updated', 'domain.proof_lost']],
    refuses: [
      [[], 'too_small'],
      [Array.from({ length: 51 }, () => 'link.*'), 'too_big'],
    ],
  },
  tag_ids: {
    type: 'an array',
    nullable: true,
    accepts: [['0198c0de-7e57-7000-8000-000000000006']],
    refuses: [[[], 'too_small']],
  },
  per_link: flag,
  enabled: { type: 'a boolean', accepts: [false], refuses: [] },
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
