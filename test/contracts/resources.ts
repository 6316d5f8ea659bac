import { randomUUID } from 'node:crypto';
import { androidAppFields as androidAppTable, iosAppFields as iosAppTable } from '../../src/links/apps/app-fields';
import { projectFields as projectTable } from '../../src/links/projects/project-fields';
import type { ErrorCode } from '../../src/shared/domain-error';
import { webhookFields as webhookTable } from '../../src/tenancy/webhooks/webhook-fields';
import { aFingerprint, inAMonth, unique } from '../support/builders';
import {
  androidAppFields,
  androidReleaseFields,
  apiKeyFields,
  customDomainFields,
  defaultsIn,
  dynamicLinkFields,
  type Field,
  iosAppFields,
  iosReleaseFields,
  linkDefaults,
  linkExamples,
  projectFields,
  shareFields,
  shortLinkFields,
  tagFields,
  templateFields,
  webhookFields,
} from './fields';
import { words } from '../support/words';
import type { Place } from './places';

export type Item = Record<string, unknown> & { id: string; created_at: string };

/** A list row without its id and parent. */
export interface Row {
  number: number;
  name: string;
  /** ISO 8601; resources without an update time ignore `updatedAt`. */
  createdAt: string;
  updatedAt: string;
}

export interface Unique {
  field: string;
  code: ErrorCode;
  /** It holds for all projects, not for each. */
  inService?: true;
  /** Returns other spellings that are equal to the value. */
  sameAs?: (value: string) => string[];
  /** Returns another spelling that differs from the value. */
  differsFrom?: (value: string) => string;
  /** A resource keeps its former values reserved. */
  keepsFormer?: true;
}

/** A resource of the management API, described for the contract tests. */
export interface Resource {
  name: string;
  /** The path of the list; `{project}` is the id of the parent project. */
  path: string;
  table: string;
  /** API keys require a dashboard token; all other resources accept an API key. */
  credential?: 'token';
  fields: Record<string, Field>;
  readOnly: string[];
  /** The resource has no update operation. */
  immutable?: true;
  hasNoUpdateTime?: true;
  required: (place: Place) => Record<string, unknown>;
  complete: (place: Place) => Record<string, unknown>;
  /** Returns response fields that do not come from the body: defaults and ids. */
  defaults: (place: Place) => Record<string, unknown>;
  derived?: (place: Place, item: Item) => Record<string, unknown>;
  /** Converts a created item to its form in GET and in the list, if it differs. */
  read?: (item: Item) => Item;
  listed?: (item: Item) => Item;
  deletedMessage: string;
  unique?: Unique | Unique[];
  /** If absent, the list is ordered by `created_at` and takes neither `search` nor `sortBy`. */
  sortBy?: [text: string, otherText: string];
  /** Searches specific to this resource, with the numbers of the matching rows. */
  searches?: Record<string, 'all' | number[]>;
  filters?: {
    parameter: string;
    /** The value is a text in which letter case counts, and not an id. Blank texts and 256 characters are refused. */
    isText?: true;
    rows: (place: Place) => [value: string, isIn: (row: Row) => boolean][];
  }[];
  /** Rows with these columns are listed if the parameter is `true` or `any`. */
  hides?: { parameter: string; columns: (row: Row) => Record<string, unknown> };
  row: (place: Place, row: Row) => Record<string, unknown>;
}

const appNameOf = ({ number }: Row, separator: string) =>
  `com.${number % 2 ? 'example' : 'Example'}.${String.fromCharCode(65 + (((number * 37) % 58) % 26))}${separator}${number}`;

const timesOf = ({ createdAt, updatedAt }: Row) => ({ created_at: createdAt, updated_at: updatedAt });

const namedRow = ({ projectId }: Place, row: Row) => ({
  project_id: projectId,
  name: row.name,
  ...timesOf(row),
});

const nulls = (names: string) => Object.fromEntries(words(names).map((name) => [name, null]));

const isOdd = ({ number }: Row) => number % 2 === 1;

const host = 'localhost:3000';
const uniquePackage = () => `com.example.${unique('app').replaceAll('-', '_')}`;

const project: Resource = {
  name: 'project',
  path: '/projects',
  table: 'projects',
  fields: projectFields,
  readOnly: ['id', 'user_id', 'account_id', 'created_at', 'updated_at', '_count', 'deleted_at', 'ios_app_id'],
  required: () => ({ name: 'A project', subdomain: unique('p') }),
  complete: () => ({
    name: 'A project',
    subdomain: unique('p'),
    long_link_destinations: ['shop.example.com'],
    root_url: 'https://example.com/',
    not_found_url: 'https://example.com/missing',
    expired_url: 'https://example.com/ended',
    query_forwarding: 'listed',
    forwarded_params: ['utm_source'],
    allowed_schemes: ['mailto', 'com.example.shop'],
    destination_hosts: [],
    release_guard: 'off',
    retire_releases_after_days: 365,
    retire_releases_below_percent: 5,
    conversions: true,
    click_id_param: 'ref',
    conversion_window_days: 90,
  }),
  defaults: ({ userId }) => ({ user_id: userId, ...defaultsIn(projectTable) }),
  listed: (item) => ({ ...item, _count: { dynamic_links: 0 } }),
  deletedMessage: 'Project deleted',
  unique: { field: 'subdomain', code: 'SUBDOMAIN_TAKEN', inService: true, keepsFormer: true },
  sortBy: ['name', 'subdomain'],
  searches: { 'ROW-1': [1, 10, 11, 12, 13, 14, 15, 16, 17], '-7-x': [7] },
  row: ({ account }, row) => ({
    account_id: account.accountId,
    user_id: account.userId,
    name: row.name,
    subdomain: `${row.number % 3 ? 'a' : '0'}-row-${row.number}-${unique('x')}`,
    ...timesOf(row),
  }),
};

const paths = ['b', 'a', 'B', 'A', '0', 'a-', 'a.b', 'a/b', 'a_', 'a~', 'ab', 'Z', 'z', 'zz', '9', 'a0', 'aA'];

const dynamicLink: Resource = {
  name: 'dynamic link',
  path: '/projects/{project}/links',
  table: 'dynamic_links',
  fields: dynamicLinkFields,
  readOnly: words(`
      id project_id full_url created_at updated_at ios_apps android_apps user_id slug source customPath imported_from
      original_created_at original_clicks has_password used_up password_hash
  `),
  required: () => ({ name: 'A link' }),
  complete: ({ iosAppId, androidAppId }) => {
    const { password: _, ...examples } = linkExamples;
    return {
      ...examples,
      custom_path: unique('all/of/it'),
      ios_app_id: iosAppId,
      android_app_id: androidAppId,
      active_from: '2026-01-01T00:00:00.000Z',
      active_until: '2027-01-31T23:00:00.000Z',
      external_id: unique('External/1'),
      archived: false,
    };
  },
  defaults: ({ projectId }) => ({
    project_id: projectId,
    ...linkDefaults,
    has_password: false,
    custom_path: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
    ...nulls('imported_from original_created_at original_clicks'),
  }),
  derived: ({ subdomain }, { custom_path }) => ({ full_url: `http://${subdomain}.${host}/${String(custom_path)}` }),
  read: (item) => ({ ...item, ...appsOf(item) }),
  listed: (item) => ({ ...item, ...appsOf(item) }),
  deletedMessage: 'Dynamic link deleted',
  unique: [
    { field: 'custom_path', code: 'CUSTOM_PATH_EXISTS', differsFrom: (path) => path.toUpperCase() },
    { field: 'external_id', code: 'EXTERNAL_ID_EXISTS', differsFrom: (id) => id.toUpperCase() },
  ],
  sortBy: ['name', 'custom_path'],
  searches: { SALE: [17], 'r/s': [17], sale_1: [17], '1.X~Y': [17], e_1_x: [] },
  filters: [
    ...['ios_app_id', 'android_app_id'].map((parameter) => ({
      parameter,
      rows: ({ iosAppId, androidAppId }: Place): [string, typeof isOdd][] => [
        [parameter === 'ios_app_id' ? iosAppId : androidAppId, isOdd],
      ],
    })),
    { parameter: 'template', isText: true, rows: (): [string, typeof isOdd][] => [['Newsletter', isOdd]] },
    {
      parameter: 'external_id',
      isText: true,
      rows: () => [3, 17].map((at) => [`row-${at}`, ({ number }: Row) => number === at]),
    },
  ],
  hides: {
    parameter: 'archived',
    columns: ({ number }) => ({ archived: true, custom_path: `hidden/${number}`, external_id: `archived-${number}` }),
  },
  row: ({ projectId, iosAppId, androidAppId }, row) => ({
    project_id: projectId,
    name: row.name,
    custom_path: paths[row.number] ?? `Summer/Sale_${row.number - 16}.x~y`,
    ios_app_id: isOdd(row) ? iosAppId : null,
    android_app_id: isOdd(row) ? androidAppId : null,
    external_id: `row-${row.number}`,
    template: isOdd(row) ? 'Newsletter' : null,
    ...timesOf(row),
  }),
};

const appsOf = ({ ios_app_id, android_app_id }: Item) => ({
  ios_apps: ios_app_id === null ? null : expect.objectContaining({ id: ios_app_id }),
  android_apps: android_app_id === null ? null : expect.objectContaining({ id: android_app_id }),
});

const shortLink: Resource = {
  name: 'short link',
  path: '/projects/{project}/short-links',
  table: 'short_links',
  fields: shortLinkFields,
  readOnly: words(`
      id project_id short_url source created_by created_by_api_key_id created_at updated_at name
  `),
  immutable: true,
  required: ({ linkIds }) => ({ dynamic_link_id: linkIds[0] }),
  complete: ({ linkIds }) => ({ dynamic_link_id: linkIds[0], slug: unique('s') }),
  defaults: ({ projectId, account }) => ({
    project_id: projectId,
    slug: expect.stringMatching(/^[0-9a-z]{4}$/),
    source: 'api',
    created_by: account.userId,
    created_by_api_key_id: account.apiKeyId,
  }),
  derived: ({ subdomain }, { slug }) => ({ short_url: `http://${subdomain}.${host}/${String(slug)}` }),
  deletedMessage: 'Short link deleted',
  unique: { field: 'slug', code: 'SLUG_EXISTS' },
  filters: [
    {
      parameter: 'dynamic_link_id',
      rows: ({ linkIds: [even, odd, without] }) => [
        [even!, (row) => !isOdd(row)],
        [odd!, isOdd],
        [without!, () => false],
      ],
    },
  ],
  row: ({ projectId, linkIds }, row) => ({
    project_id: projectId,
    dynamic_link_id: linkIds[isOdd(row) ? 1 : 0],
    slug: `slug-${row.number}`,
    source: 'dashboard',
    ...timesOf(row),
  }),
};

const tag: Resource = {
  name: 'tag',
  path: '/projects/{project}/tags',
  table: 'tags',
  fields: tagFields,
  readOnly: ['id', 'project_id', '_count', 'created_at', 'updated_at', 'folded_name', 'retired_at', 'merged_into'],
  required: () => ({ name: unique('Tag') }),
  complete: () => ({ name: unique('Tag') }),
  defaults: ({ projectId }) => ({ project_id: projectId, _count: { dynamic_links: 0 } }),
  deletedMessage: 'Tag deleted',
  unique: { field: 'name', code: 'TAG_EXISTS', sameAs: (name) => [name.toUpperCase(), name.toLowerCase()] },
  sortBy: ['name', 'name'],
  searches: { '100 OFF': [1], 'row 1': [] },
  // The service folds names. Rows have equal names here, which it would refuse.
  row: (place, row) => ({ ...namedRow(place, row), folded_name: `row ${row.number}` }),
};

const linkTemplate: Resource = {
  name: 'link template',
  path: '/projects/{project}/link-templates',
  table: 'link_templates',
  fields: templateFields,
  readOnly: ['id', 'project_id', 'created_at', 'updated_at', 'referrerParams'],
  required: () => ({ name: unique('Template') }),
  complete: () => ({
    name: unique('Template'),
    referrer_params: { utm_source: 'mail', utm_campaign: 'summer' },
    rules: [{ when: { platforms: ['ios'], qr: true }, then: { store: true } }],
  }),
  defaults: ({ projectId }) => ({ project_id: projectId, referrer_params: null, rules: null }),
  deletedMessage: 'Link template deleted',
  unique: { field: 'name', code: 'TEMPLATE_EXISTS', differsFrom: (name) => name.toUpperCase() },
  sortBy: ['name', 'name'],
  searches: { '100 OFF': [1], 'row 1': [] },
  row: (place, row) => {
    // Some rows have equal names, which are unique in a project.
    const isTaken = row.number > 1 && ['a', 'b'].includes(row.name);
    return namedRow(place, { ...row, name: isTaken ? `${row.name} ${row.number}` : row.name });
  },
};

const iosApp: Resource = {
  name: 'iOS app',
  path: '/projects/{project}/ios-apps',
  table: 'ios_apps',
  fields: iosAppFields,
  readOnly: ['id', 'project_id', 'created_at', 'updated_at', 'package_name', 'sha_fingerprints', 'bundleId'],
  required: () => ({ name: 'Shop', bundle_id: `com.example.${unique('Shop')}`, team_id: 'ABCDE12345' }),
  complete: (place) => ({
    ...iosApp.required(place),
    appstore_id: '1234567890',
    app_clip_bundle_id: 'com.example.shop.Clip',
    paths: ['/shop/*'],
    shared_credentials: true,
  }),
  defaults: ({ projectId }) => ({ project_id: projectId, ...defaultsIn(iosAppTable) }),
  deletedMessage: 'iOS app deleted',
  unique: { field: 'bundle_id', code: 'BUNDLE_ID_EXISTS', sameAs: (id) => [id.toUpperCase(), id.toLowerCase()] },
  sortBy: ['name', 'bundle_id'],
  searches: { '-13': [13], '.EXAMPLE.': 'all', ABCDE12345: [] },
  row: (place, row) => ({ ...namedRow(place, row), bundle_id: appNameOf(row, '-'), team_id: 'ABCDE12345' }),
};

const androidApp: Resource = {
  name: 'Android app',
  path: '/projects/{project}/android-apps',
  table: 'android_apps',
  fields: androidAppFields,
  readOnly: ['id', 'project_id', 'created_at', 'updated_at', 'bundle_id', 'team_id', 'packageName'],
  required: () => ({ name: 'Shop', package_name: uniquePackage(), sha_fingerprints: [aFingerprint(1)] }),
  complete: (place) => ({
    ...androidApp.required(place),
    android_stores: { appgallery: 'C100000001', amazon: 'com.example.shop' },
    paths: ['/shop/*'],
    shared_credentials: true,
  }),
  defaults: ({ projectId }) => ({ project_id: projectId, ...defaultsIn(androidAppTable) }),
  deletedMessage: 'Android app deleted',
  unique: { field: 'package_name', code: 'PACKAGE_NAME_EXISTS', differsFrom: (name) => name.toUpperCase() },
  sortBy: ['name', 'package_name'],
  searches: { _13: [13], '.EXAMPLE.': 'all', '00:01': [] },
  row: (place, row) => ({
    ...namedRow(place, row),
    package_name: appNameOf(row, '_'),
    sha_fingerprints: [aFingerprint(0)],
  }),
};

const aRelease = () => ({ version: unique('1.0'), hosts: ['go.example.com'] });

/** Describes the releases of apps of a platform, whose identity has these fields. */
const releasesOf = (
  platform: 'ios' | 'android',
  fields: Resource['fields'],
  identity: Record<string, unknown>,
): Resource => ({
  name: platform === 'ios' ? 'iOS app release' : 'Android app release',
  path: `/projects/{project}/${platform}-apps/{${platform}App}/releases`,
  table: 'app_releases',
  fields,
  readOnly: [
    ...words('id project_id app_id ios_app_id retires_at created_at updated_at'),
    ...(platform === 'ios' ? ['package_name', 'sha_fingerprints'] : ['bundle_id', 'fingerprints']),
  ],
  required: aRelease,
  complete: () => ({ ...aRelease(), paths: ['/shop/*'], ...identity, retired: true }),
  defaults: ({ projectId, iosAppId, androidAppId }) => ({
    project_id: projectId,
    app_id: platform === 'ios' ? iosAppId : androidAppId,
    paths: null,
    ...Object.fromEntries(
      Object.entries(identity).map(([field, value]) => [field, expect.any(Object(value).constructor)]),
    ),
    retired: false,
    retires_at: null,
  }),
  deletedMessage: 'Release deleted',
  unique: {
    field: 'version',
    code: 'RELEASE_EXISTS',
    differsFrom: (version) => `${version}${platform === 'ios' ? 'A' : 'a'}`,
  },
  row: ({ projectId, iosAppId, androidAppId }, row) => ({
    project_id: projectId,
    ...(platform === 'ios' ? { ios_app_id: iosAppId } : { android_app_id: androidAppId }),
    version: `1.${row.number}`,
    hosts: ['go.example.com'],
    ...identity,
    retired: false,
    ...timesOf(row),
  }),
});

const iosRelease = releasesOf('ios', iosReleaseFields, { bundle_id: 'com.example.shop' });
const androidIdentity = { package_name: 'com.example.shop', sha_fingerprints: [aFingerprint(1)] };
const androidRelease = releasesOf('android', androidReleaseFields, androidIdentity);

const customDomain: Resource = {
  name: 'custom domain',
  path: '/projects/{project}/custom-domains',
  table: 'custom_domains',
  fields: customDomainFields,
  readOnly: ['id', 'project_id', 'status', 'verified_at', 'verification_record', 'created_at', 'updated_at', 'name'],
  required: () => ({ hostname: `${unique('links')}.example.com` }),
  complete: (place) => customDomain.required(place),
  defaults: ({ projectId }) => ({
    project_id: projectId,
    ...{ status: 'pending', active: false, open_host: false },
    ...nulls('verified_at checked_at record_missing_since'),
  }),
  derived: (_, { hostname }) => ({
    verification_record: {
      type: 'TXT',
      name: `_link-domain-challenge.${String(hostname)}`,
      value: expect.stringMatching(/^[0-9a-f]{40}$/),
    },
  }),
  deletedMessage: 'Custom domain removed',
  unique: { field: 'hostname', code: 'DOMAIN_EXISTS', sameAs: (hostname) => [hostname.toUpperCase(), `${hostname}.`] },
  row: ({ projectId }, row) => ({
    project_id: projectId,
    hostname: `${unique('row')}.example.com`,
    challenge: 'c'.repeat(40),
    ...timesOf(row),
  }),
};

const apiKey: Resource = {
  name: 'API key',
  path: '/account/api-keys',
  table: 'api_keys',
  credential: 'token',
  fields: apiKeyFields,
  readOnly: ['id', 'key', 'prefix', 'user_id', 'account_id', 'created_at', 'last_used_at', 'revoked_at'],
  hasNoUpdateTime: true,
  required: () => ({ name: 'A key' }),
  complete: () => ({ name: 'A key', destination_hosts: ['*.example.com'], expires_at: '2099-12-31T22:59:59.000Z' }),
  defaults: ({ userId }) => ({
    user_id: userId,
    ...nulls('last_used_at expires_at scopes project_ids allowed_networks destination_hosts'),
    ...nulls('allowed_origins links_per_day'),
    publishable: false,
    key: expect.any(String),
  }),
  derived: (_, { key, prefix }) => ({ prefix: typeof key === 'string' ? key.slice(0, 13) : prefix }),
  read: ({ key: _, ...item }) => item,
  listed: ({ key: _, ...item }) => item,
  deletedMessage: 'API key revoked',
  row: ({ account, userId }, row) => ({
    account_id: account.accountId,
    user_id: userId,
    name: row.name,
    prefix: 'svc_live_xxxx',
    digest: `\\x${randomUUID().replaceAll('-', '')}`,
    created_at: row.createdAt,
  }),
};

const withoutUrl = ({ url: _, ...item }: Item): Item => item;

const share: Resource = {
  name: 'share',
  path: '/projects/{project}/shares',
  table: 'statistic_shares',
  fields: shareFields,
  readOnly: ['id', 'project_id', 'url', 'has_password', 'created_at', 'token_digest', 'password_hash'],
  immutable: true,
  hasNoUpdateTime: true,
  required: () => ({ name: 'A share', expires_at: inAMonth() }),
  complete: () => ({ name: 'A share', timezone: 'Europe/Vienna', expires_at: inAMonth() }),
  defaults: ({ projectId }) => ({
    project_id: projectId,
    dynamic_link_id: null,
    tag_id: null,
    timezone: 'UTC',
    has_password: false,
    url: expect.stringMatching(/^http:\/\/localhost:3000\/shared\/[\w-]{43}$/),
  }),
  read: withoutUrl,
  listed: withoutUrl,
  deletedMessage: 'Share deleted',
  row: ({ projectId }, row) => ({
    project_id: projectId,
    name: row.name,
    timezone: 'UTC',
    token_digest: `\\x${randomUUID().replaceAll('-', '')}`,
    expires_at: '2099-01-01T00:00:00Z',
    created_at: row.createdAt,
  }),
};

const webhook: Resource = {
  name: 'webhook',
  path: '/account/webhooks',
  table: 'webhook_endpoints',
  fields: webhookFields,
  readOnly: ['id', 'secret', 'account_id', 'created_at', 'updated_at', 'failing_since', 'disabled_at'],
  required: () => ({ url: 'https://hooks.example.com/events' }),
  complete: () => ({
    url: 'https://hooks.example.com/events',
    description: 'Search index',
    event_types: ['link.*'],
    tag_ids: ['0198c0de-7e57-7000-8000-000000000006'],
    per_link: true,
    enabled: false,
  }),
  defaults: () => ({
    ...defaultsIn(webhookTable),
    failing_since: null,
    disabled_at: null,
    secret: expect.any(String),
  }),
  read: ({ secret: _, ...item }) => item,
  listed: ({ secret: _, ...item }) => item,
  deletedMessage: 'Webhook deleted',
  row: ({ account }, row) => ({
    account_id: account.accountId,
    url: `https://hooks.example.com/${row.number}`,
    per_link: false,
    enabled: false,
    sealed_secret: '\\x00',
    ...timesOf(row),
  }),
};

export const resources = [
  project,
  dynamicLink,
  tag,
  linkTemplate,
  shortLink,
  share,
  iosApp,
  androidApp,
  iosRelease,
  androidRelease,
  customDomain,
  apiKey,
  webhook,
];

export const fieldsOf = (
  { fields, immutable }: Omit<Resource, 'unique'>,
  operation: 'create' | 'update',
): [name: string, field: Field][] =>
  operation === 'update' && immutable
    ? []
    : Object.entries(fields).filter(([, { only }]) => only === undefined || only === operation);

export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

export const same = (item: Item): Item => item;
