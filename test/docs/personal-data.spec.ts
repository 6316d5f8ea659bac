import { linkFieldEntries } from '../../src/links/dynamic-links/link-fields';
import { codeIn, readPage, tablesOf } from '../support/pages';

const page = readPage('docs/operating/personal-data.md');
const schema = readPage('docs/schema.sql');

/** The columns of each table with their types, such as `text NOT NULL`. */
const columns = new Map(
  [...schema.matchAll(/^CREATE TABLE (\S+) \(\n(.*?)^\)/gms)].map(([, table = '', body = '']) => [
    table.replaceAll('"', ''),
    new Map(
      [...body.matchAll(/^ +(?!CONSTRAINT\b)"?(\w+)"? ([^\n]*?),?$/gm)].map(([, name = '', type = '']) => [name, type]),
    ),
  ]),
);

/** The page names these fields together, so that a new one needs no place in it. */
const ofLinks = linkFieldEntries
  .map(([name]) => name)
  .filter((name) => columns.get('dynamic_links')?.has(name))
  .map((name) => `dynamic_links.${name}`);

const named = tablesOf(page)
  .filter(({ header }) => header[1] === 'columns')
  .flatMap(({ rows }) =>
    rows.flatMap(([tables = '', names = '']) =>
      codeIn(tables).flatMap((table) => codeIn(names).map((column) => `${table}.${column}`)),
    ),
  );

/** Texts and structures that people and callers do not write, by table. `*` is every table. */
const technical: Record<string, string> = {
  '*': 'plan query_forwarding forwarded_params digest',
  android_apps: 'package_name sha_fingerprints android_stores paths',
  ios_apps: 'bundle_id team_id appstore_id app_clip_bundle_id paths',
  approvals: 'operation state',
  api_keys: 'prefix scopes allowed_networks destination_hosts allowed_origins',
  app_event_deliveries: 'event',
  app_event_sums: 'event',
  click_deliveries: 'dynamic_link_ids short_link_ids sources opened opened_by times',
  clicks: 'sources',
  conversions: 'currency platform',
  clicks_by_day: 'dimension',
  clicks_by_quarter: 'dimension',
  clicks_by_link: 'sources',
  deferred_link_requests: 'region',
  deferred_links: 'claim_digest browser',
  dynamic_links: 'imported_from',
  idempotent_answers: 'request_digest payload_digest',
  import_rows: 'fault outcome imported_from',
  imports:
    'acknowledged source format conflict_policy layout list_progress state unmapped predicted failure_code attempted_by',
  journal: 'type',
  journal_inbox: 'type',
  journal_marks: 'type',
  link_totals: 'event',
  members: 'role project_roles',
  statistic_shares: 'token_digest',
  visitor_keys: 'key',
  webhook_deliveries: 'type state failure',
  webhook_endpoints: 'event_types',
  projects: 'click_id_param subdomain allowed_schemes long_link_destinations destination_hosts release_guard',
};

const paragraph = /## No personal data\n\n(.*?)\n\n/s.exec(page)?.[1] ?? '';
const without = codeIn(paragraph);

test('the page has every table of the schema once, with personal data or without', () => {
  const mentioned = new Set(named.map((name) => name.split('.')[0]!));
  expect(without.filter((table) => mentioned.has(table))).toEqual([]);
  expect([...mentioned, ...without].sort()).toEqual([...columns.keys()].sort());
});

test('the columns of the page exist', () => {
  expect(
    named.filter((name) => {
      const [table = '', column = ''] = name.split('.');
      return !columns.get(table)?.has(column);
    }),
  ).toEqual([]);
});

test('each column with texts, structures or a user is on the page, or was reviewed as technical', () => {
  const unreviewed = [...columns]
    .filter(([table]) => !without.includes(table))
    .flatMap(([table, typed]) =>
      [...typed]
        .filter(([name, type]) => /^(text|jsonb|bytea|inet|cidr)/.test(type) || /user|created_by$/.test(name))
        .map(([name]) => name)
        .filter((name) => !`${technical['*']!} ${technical[table] ?? ''}`.split(' ').includes(name))
        .map((name) => `${table}.${name}`),
    );
  expect(unreviewed.filter((name) => !named.includes(name) && !ofLinks.includes(name))).toEqual([]);
});
