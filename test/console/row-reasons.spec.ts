import { FeatureNotInPlan, QuotaReached } from '../../src/tenancy/accounts/account.errors';
import { KnownLinks } from '../../src/imports/work/known-links';
import { planRow } from '../../src/imports/work/row-plan';
import { serviceFault } from '../../src/imports/work/import-planner.service';
import type { SourceRecord } from '../../src/imports/sources/import-source';
import type { DestinationHost } from '../../src/shared/destination-host';
import { importSources } from '../../src/imports/sources/import-sources';
import { readFile } from '../imports/files/read-file';
import { load } from './load';

const { explainedReason } = load('pages/imports/row-reasons');
const { messages } = load('messages/en');

/** Expects the explanation, and that its message has these parameters. */
function expectExplained(reason: string | undefined, name: string, parameters: Record<string, string> = {}): void {
  const key = `imports.reason.${name}`;
  expect(explainedReason(reason ?? '')).toEqual({ key, parameters });
  const named = [...messages[key]!.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter!);
  expect(named.sort()).toEqual(Object.keys(parameters).sort());
}

const long = 'x'.repeat(60);
const params = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`referrer_params.p${at}`, 'x']));
const ofParams = Object.fromEntries(Object.keys(params).map((key) => [key, key]));

interface Explained {
  is: string;
  parameters?: Record<string, string>;
  options?: Record<string, unknown>;
}

test.each<[record: SourceRecord, explained: Explained]>([
  [{ desktop_url: 'shop.example.com/a' }, { is: 'url' }],
  [{ desktop_url: 'mailto:a@b.example' }, { is: 'scheme', parameters: { scheme: 'mailto' } }],
  [{ desktop_url: 'https://evil.example/' }, { is: 'destination', parameters: { host: 'evil.example' } }],
  [{ desktop_url: 'javascript:alert(1)' }, { is: 'url' }],
  [{ desktop_url: 'https://a:b@shop.example.com/' }, { is: 'userInfo' }],
  [{ short_url: 'fr-01 ?' }, { is: 'address' }],
  [{ short_url: 'fr-01' }, { is: 'root' }],
  [{ host: 'go example' }, { is: 'host' }],
  [{ custom_path: 'bad path' }, { is: 'path' }],
  [{ custom_path: 'robots.txt' }, { is: 'reserved' }],
  [{ custom_path: long }, { is: 'tooLong', parameters: { max: '50' } }],
  [{ desktop_url: `https://shop.example.com/${'ü'.repeat(1000)}` }, { is: 'tooLong', parameters: { max: '2048' } }],
  [params, { is: 'params', parameters: { max: '50' }, options: { columns: ofParams } }],
  [{ custom_path: '/' }, { is: 'empty' }],
  [{ name: true }, { is: 'text' }],
  [{ name: 'a\0b' }, { is: 'unicode' }],
  [{ tags: 7 }, { is: 'tags' }],
  [{ archived: 'perhaps' }, { is: 'flag' }],
  [{ original_created_at: '03/04/2024' }, { is: 'twoMeanings' }],
  [{ original_created_at: '13/04/2024' }, { is: 'noDate', options: { date_format: 'month_first' } }],
  [{ colour: 'green' }, { is: 'noField' }],
])('the reason to refuse the record %j is explained by %j', (record, { is, parameters, options = {} }) => {
  const none = new Map<string, string>();
  const context = {
    iosApps: none,
    androidApps: none,
    templates: new Set<string>(),
    hosts: new Set<string>(),
    allowed: { allowedSchemes: [], destinationHosts: ['*.example.com'] as DestinationHost[] },
    options,
  };
  const [refusal] = importSources.get('csv')!.map(record, context).refusals;
  expectExplained(refusal && `${refusal.field} ${refusal.reason}`, is, parameters);
});

test.each<[file: string, format: 'csv' | 'ndjson', explained: Explained]>([
  ['a,b\n1,2\n"1,2\n', 'csv', { is: 'quote' }],
  ['a,b\n"1"x,2\n', 'csv', { is: 'quote' }],
  ['a,b\n1,2,3\n', 'csv', { is: 'cells', parameters: { cells: '3', header: '2' } }],
  ['{"a":1}\n{"a"\n', 'ndjson', { is: 'json' }],
  ['{"a":1}\n[1]\n', 'ndjson', { is: 'json' }],
])('the fault of a row in the file %j as %s is explained by %j', async (file, format, { is, parameters }) => {
  const rows = await readFile(format, file, 1000);
  expectExplained(rows.find(({ fault }) => fault !== null)?.fault ?? undefined, is, parameters);
});

const link = (id: string, path: string | null, externalId: string | null) => ({
  id,
  path,
  externalId,
  digest: id,
  origin: { importedFrom: null, originalClicks: null },
});

test.each<[path: string | null, externalId: string | null, is: string]>([
  ['a', null, 'pathTaken'],
  [null, 'x', 'idTaken'],
  ['short', null, 'shortLink'],
  ['a', 'x', 'twoLinks'],
])('a conflict of the path %s and the external id %s is explained', (path, externalId, is) => {
  const known = new KnownLinks([link('1', 'a', null), link('2', 'b', 'x')], ['short'], []);
  const plan = planRow(link('3', path, externalId), known, 'skip', () => '3');
  expectExplained(plan.problems[0]?.reason, is);
});

const quota = { limit: 50, used: 49, more: 2, plan: 'free', requiredPlan: 'pro' } as const;

test.each<[reason: string, explained: Explained]>([
  [serviceFault('read').reason, { is: 'service' }],
  [new FeatureNotInPlan('deferred_deep_links', 'free').message, { is: 'plan' }],
  [new QuotaReached('dynamic links', quota).message, { is: 'quota', parameters: { used: '49', limit: '50' } }],
  ['Slug has another value than the field Pfad', { is: 'otherValue', parameters: { other: 'Pfad' } }],
  ['ios_app_id is no app of this project', { is: 'noApp' }],
  ['template is unknown in this project', { is: 'noTemplate' }],
])('%s is explained', (reason, { is, parameters }) => expectExplained(reason, is, parameters));

test('another reason has no explanation', () => {
  expect(explainedReason('the moon is full')).toBeNull();
});
