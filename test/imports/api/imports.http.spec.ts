import crypto from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Import } from '../../../clients/typescript/src/index';
import { ImportBatchService } from '../../../src/imports/work/import-batch.service';
import { batchPause, batchRows } from '../../../src/imports/work/import-runner.service';
import { PgImportUpkeep } from '../../../src/imports/model/pg-import-upkeep';
import { ImportsService } from '../../../src/imports/api/imports.service';
import { TransactionContext } from '../../../src/platform/postgres/transaction-context';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';
import { newId } from '../../../src/shared/id';
import { aDynamicLink, anIosApp, aShortLink, unknownId, updated } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { startImports } from '../../support/imports';
import { link, ndjson, none, url, importsOfEach } from './import-requests';
import { fixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture();
const worker = fixture(() => startImports(on));
const account = fixture(() => on.anAccount('enterprise'));
const imports = importsOfEach(on, account);
const usual = { ...batchRows };
afterEach(() => {
  jest.restoreAllMocks();
  Object.assign(batchRows, usual);
  batchPause.factor = 0;
});

test('a run and a cancellation that fail at their end change nothing, and can be sent again', async () => {
  const { id } = (await imports.upload(ndjson([link('once')])).expect(202)).body.data;
  await imports.done(id);
  const read = jest.spyOn(on.service.app.get(ImportsService), 'get');
  for (const operation of ['run', 'cancel']) {
    read.mockRejectedValueOnce(new ConcurrencyLimited());
    expect(await imports.api('post', `/${id}/${operation}`)).toBeRefusedWith('RATE_LIMITED');
    expect((await imports.api('get', `/${id}`)).body.data.state).toBe('ready');
  }
  await imports.api('post', `/${id}/run`).expect(202);
  expect((await imports.done(id)).counts).toMatchObject({ created: 1 });
});

test('a dry run predicts, and the run creates the links', async () => {
  const app = await anIosApp(on, account.key, imports.projectId, { bundle_id: 'com.example.shop' });
  const full = link('full', {
    ios_bundle_id: 'com.example.shop',
    external_id: 'crm-1',
    archived: true,
    tags: ['Summer', 'b'],
    ...{ imported_from: 'bitly', original_created_at: '2020-02-03T04:05:06.000Z', original_clicks: 12 },
  });
  const uploaded = await imports.upload(ndjson([full, { name: 'No path' }])).expect(202);
  const { id } = uploaded.body.data;
  expect(uploaded.headers['location']).toBe(`http://localhost:3000/api/v1/projects/${imports.projectId}/imports/${id}`);
  const checked = await imports.done(id);
  expect(checked).toMatchObject({
    state: 'ready',
    rows: 2,
    processed: 2,
    counts: { ...none, created: 2 },
    predicted: null,
  });
  expect(await imports.links()).toEqual({});
  expect((await imports.rows(id)).map(({ link_id }) => link_id)).toEqual([null, null]);

  const done = await imports.run(id);
  expect(done).toMatchObject({
    state: 'completed',
    counts: { ...none, created: 2 },
    predicted: { ...none, created: 2 },
  });
  const links = await imports.links();
  const { ios_bundle_id: _, ...fields } = full;
  expect(links['full']).toMatchObject({ ...fields, ios_app_id: app.id });
  const rows = await imports.rows(id);
  expect(rows.map((row) => row.link_id).sort()).toEqual(
    Object.values(links)
      .map((one) => one['id'])
      .sort(),
  );
  expect(rows[0]).toMatchObject({ row: 1, outcome: 'created', record: full, problems: [], unmapped: [] });
  const { body } = await on.api('get', `/projects/${imports.projectId}/tags?limit=100`, account.key).expect(200);
  expect(body.data.map((tag: { name: string }) => tag.name).sort()).toEqual(['Summer', 'b']);
});

const records = [
  { name: 'One, two', custom_path: 'one', desktop_url: 'https://a.example/1', tags: ['x', 'y'] },
  { name: 'Two', custom_path: 'two' },
];
test.each([
  ['csv', 'name,custom_path,desktop_url,tags\r\n"One, two",one,https://a.example/1,"x,y"\r\nTwo,two,,\r\n'],
  ['json', JSON.stringify(records, null, 2)],
  ['json', JSON.stringify({ total: 2, data: records })],
  ['ndjson', `\uFEFF${records.map((record) => JSON.stringify(record)).join('\r\n\n')}`],
] as const)('a file of %s is read', async (format, file) => {
  const { id, counts } = await imports.check(file, '', format);
  expect(counts).toEqual({ ...none, created: 2 });
  await imports.run(id);
  const links = await imports.links();
  expect(links['one']).toMatchObject({ name: 'One, two', desktop_url: 'https://a.example/1', tags: ['x', 'y'] });
  expect(links['two']).toMatchObject({ name: 'Two', desktop_url: null });
});

test('rows that are no link are refused with their fields, and the others are created', async () => {
  const { id, counts } = await imports.check(
    ndjson([
      link('good'),
      link('bad path'),
      { custom_path: 'nameless' },
      link('url', { desktop_url: 'javascript:alert(1)' }),
    ]) + 'no json\n[]\n',
  );
  expect(counts).toEqual({ ...none, created: 1, refused: 5 });
  expect((await imports.rows(id, 'refused')).map(({ row, problems }) => [row, problems[0]!.field])).toEqual([
    [2, 'custom_path'],
    [3, 'name'],
    [4, 'desktop_url'],
    [5, null],
    [6, null],
  ]);
  await imports.run(id);
  expect(Object.keys(await imports.links())).toEqual(['good']);
});

test('the same file again changes nothing', async () => {
  const rows = [
    link('one', { tags: ['A', 'b'] }),
    link('two', { external_id: 'crm-2', referrer_params: { b: '1', a: '2' } }),
  ];
  await imports.import(rows);
  const before = await imports.links();
  const again = await imports.import(rows, 'conflict=replace');
  expect(again).toMatchObject({
    state: 'completed',
    counts: { ...none, unchanged: 2 },
    predicted: { ...none, unchanged: 2 },
  });
  expect(await imports.links()).toEqual(before);
  const rowsAgain = await imports.rows(again.id);
  expect(rowsAgain.map((row) => row.link_id)).toEqual([before['one']!['id'], before['two']!['id']]);
});

test('a conflict leaves the link as it is, or replaces all its fields', async () => {
  const { id } = await aDynamicLink(on, account.key, imports.projectId, {
    custom_path: 'one',
    external_id: 'crm-1',
    notes: 'old',
    tags: ['old'],
  });
  const rows = [link('one', { tags: ['new'] }), link('other')];
  const skipped = await imports.import(rows);
  expect(skipped.counts).toEqual({ ...none, conflict: 1, created: 1 });
  expect((await imports.rows(skipped.id, 'conflict'))[0]).toMatchObject({
    row: 1,
    link_id: id,
    problems: [{ field: 'custom_path' }],
  });
  expect((await imports.links())['one']).toMatchObject({ notes: 'old', tags: ['old'] });

  const replaced = await imports.import(rows, 'conflict=replace');
  expect(replaced.counts).toEqual({ ...none, replaced: 1, unchanged: 1 });
  expect((await imports.links())['one']).toMatchObject({
    id,
    name: 'one',
    notes: null,
    tags: ['new'],
    external_id: 'crm-1',
  });
});

test('a link that was created here has no origin, and a row with another origin is equal', async () => {
  await aDynamicLink(on, account.key, imports.projectId, { name: 'one', custom_path: 'one', desktop_url: url });
  const origin = { imported_from: 'bitly', original_created_at: '2020-02-02T02:02:02Z', original_clicks: 12 };
  const equal = await imports.import([link('one', origin)], 'conflict=replace');
  expect(equal.counts).toEqual({ ...none, unchanged: 1 });
  const other = await imports.import([link('one', { ...origin, notes: 'new' })], 'conflict=replace');
  expect(other.counts).toEqual({ ...none, replaced: 1 });
  const noOrigin = { imported_from: null, original_created_at: null, original_clicks: null };
  expect((await imports.links())['one']).toMatchObject({ notes: 'new', ...noOrigin });
});

test('an imported link takes a new number of clicks from its own system only, with the policy replace', async () => {
  const origin = { imported_from: 'bitly', original_created_at: '2020-02-02T02:02:02.000Z', original_clicks: 12 };
  const imported = link('one', origin);
  const counted = link('one', { ...origin, original_clicks: 90 });
  expect((await imports.import([imported])).counts).toEqual({ ...none, created: 1 });
  expect((await imports.import([counted])).counts).toEqual({ ...none, unchanged: 1 });
  const rows = [counted, counted, link('one', { ...origin, original_clicks: null }), link('one')];
  const { counts } = await imports.import(rows, 'conflict=replace');
  expect(counts).toEqual({ ...none, replaced: 1, unchanged: 3 });
  expect((await imports.links())['one']).toMatchObject({ ...origin, original_clicks: 90 });

  const elsewhere = link('one', { imported_from: 'dub', original_clicks: 5, notes: 'new' });
  expect((await imports.import([elsewhere], 'conflict=replace')).counts).toEqual({ ...none, replaced: 1 });
  expect((await imports.links())['one']).toMatchObject({ ...origin, original_clicks: 90, notes: 'new' });
});

test('an external id finds its link, whose path changes', async () => {
  const { id } = await aDynamicLink(on, account.key, imports.projectId, { custom_path: 'old', external_id: 'crm-1' });
  const { counts } = await imports.import([link('new', { external_id: 'crm-1' }), link('old')], 'conflict=replace');
  expect(counts).toEqual({ ...none, replaced: 1, created: 1 });
  const links = await imports.links();
  expect(links['new']!['id']).toBe(id);
  expect(links['old']!['id']).not.toBe(id);
});

test('rows that name two links, or the path of a short link, conflict in any case', async () => {
  const { id } = await aDynamicLink(on, account.key, imports.projectId, { custom_path: 'a', external_id: 'crm-1' });
  await aDynamicLink(on, account.key, imports.projectId, { custom_path: 'b' });
  await aShortLink(on, account.key, imports.projectId, id, { slug: 'short' });
  const job = await imports.import([link('b', { external_id: 'crm-1' }), link('short')], 'conflict=replace');
  expect(job.counts).toEqual({ ...none, conflict: 2 });
  expect((await imports.rows(job.id)).map(({ problems: [one] }) => one!.field)).toEqual(['external_id', 'custom_path']);
});

test('rows of a file meet the rows before', async () => {
  const rows = [link('one'), link('one'), link('one', { notes: 'x' })];
  expect((await imports.check(ndjson(rows))).counts).toEqual({ ...none, created: 1, unchanged: 1, conflict: 1 });
  const replaced = await imports.import(rows, 'conflict=replace');
  expect(replaced.counts).toEqual({ ...none, created: 1, unchanged: 1, replaced: 1 });
  expect((await imports.links())['one']).toMatchObject({ notes: 'x' });
});

test('with the policy fail, a conflict prevents the run, and one that appears during the run ends it', async () => {
  await aDynamicLink(on, account.key, imports.projectId, { custom_path: 'taken' });
  const refused = await imports.check(ndjson([link('one'), link('taken')]), 'conflict=fail');
  expect(refused.counts).toEqual({ ...none, created: 1, conflict: 1 });
  expect(await imports.api('post', `/${refused.id}/run`)).toBeRefusedWith('IMPORT_STATE', { state: 'ready' });

  const checked = await imports.check(ndjson([link('first'), link('late'), link('third')]), 'conflict=fail');
  await aDynamicLink(on, account.key, imports.projectId, { custom_path: 'late' });
  const failed = await imports.run(checked.id);
  expect(failed).toMatchObject({ state: 'failed', processed: 2, counts: { ...none, created: 1, conflict: 1 } });
  expect([failed.failure_code, failed.failure]).toEqual(['conflict', expect.stringContaining('Row 2')]);
  expect(Object.keys(await imports.links()).sort()).toEqual(['first', 'late', 'taken']);
});

test('an import is run once, and not after it was cancelled', async () => {
  const checked = await imports.check(ndjson([link('one')]));
  await imports.run(checked.id);
  expect(await imports.api('post', `/${checked.id}/run`)).toBeRefusedWith('IMPORT_STATE', { state: 'completed' });
  expect(await imports.api('post', `/${checked.id}/cancel`)).toBeRefusedWith('IMPORT_STATE', { state: 'completed' });

  const other = await imports.check(ndjson([link('two')]));
  const cancelled = await imports.api('post', `/${other.id}/cancel`).expect(200);
  expect(cancelled.body.data).toMatchObject({ state: 'cancelled', finished_at: expect.any(String) });
  expect(await imports.api('post', `/${other.id}/run`)).toBeRefusedWith('IMPORT_STATE', { state: 'cancelled' });
  expect(Object.keys(await imports.links())).toEqual(['one']);
});

test('a cancelled run keeps what it has created', async () => {
  const rows = Array.from({ length: 400 }, (_, at) => link(`path-${at}`));
  const { id } = await imports.check(ndjson(rows));
  Object.assign(batchRows, { min: 1, max: 1 });
  // The run must not end before its cancellation.
  batchPause.factor = 20;
  await imports.api('post', `/${id}/run`).expect(202);
  const cancelled = (await imports.api('post', `/${id}/cancel`).expect(200)).body.data;
  expect(cancelled.state).toBe('cancelled');
  const links = await imports.links();
  expect(Object.keys(links)).toHaveLength(cancelled.counts.created);
  expect(cancelled.counts.created).toBe(cancelled.processed);
});

test('a file in Windows-1252 is read with its encoding, and its report is in UTF-8', async () => {
  const file = Buffer.from('Gr\xf6\xdfe,custom_path\nF\xfcr 5 \x80,eins\n', 'latin1');
  const columns = { Größe: 'name' };
  const options = (more: object) => `source=csv&options=${encodeURIComponent(JSON.stringify({ columns, ...more }))}`;
  const refused = await imports.upload(file, options({}), 'csv');
  expect(refused).toBeRefusedWith('INVALID_INPUT');
  expect(refused.body.error.message).toMatch(/set the option encoding to windows-1252/);
  const { id } = await imports.check(file, options({ encoding: 'windows-1252' }), 'csv');
  await imports.run(id);
  expect((await imports.rows(id))[0]!.record).toEqual({ Größe: 'Für 5 €', custom_path: 'eins' });
  expect(Object.values(await imports.links()).map(({ name }) => name)).toEqual(['Für 5 €']);
  const report = await imports.api('get', `/${id}/report`).expect(200);
  expect(report.text).toContain(',Größe,custom_path\r\n');
  expect(report.text).toContain(',Für 5 €,eins\r\n');
});

test('files that cannot be read are refused, and leave nothing', async () => {
  const utf16 = Buffer.from('\uFEFFname\nA\n', 'utf16le');
  const refusals: [file: string | Buffer, format: 'csv' | 'json' | 'ndjson', message: RegExp][] = [
    [utf16, 'csv', /UTF-16/],
    [Buffer.from(utf16).swap16(), 'csv', /UTF-16/],
    [utf16.subarray(2), 'csv', /UTF-16/],
    [Buffer.from(utf16.subarray(2)).swap16(), 'csv', /UTF-16/],
    [Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x0a, 0xe9, 0x0a]), 'csv', /UTF-8/],
    [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), 'csv', /compressed/],
    ['name,custom_path\n', 'csv', /no rows/],
    ['{"name":"A"}', 'json', /no array/],
    ['\n \n', 'ndjson', /no rows/],
  ];
  for (const [file, format, message] of refusals) {
    const answer = await imports.upload(file, '', format);
    expect(answer).toBeRefusedWith('INVALID_INPUT');
    expect(answer.body.error.message).toMatch(message);
  }
  expect(await imports.upload('').set('Content-Type', 'text/plain')).toBeRefusedWith('INVALID_INPUT');
  // The body is checked before the fields of the query.
  for (const query of ['', 'source=none'])
    expect(await imports.upload('x', query).set('Content-Type', 'text/plain')).toBeRefusedWith(
      'UNSUPPORTED_MEDIA_TYPE',
    );
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, identity'])
    expect(await imports.upload('x').set('Content-Encoding', encoding)).toBeRefusedWith('UNSUPPORTED_MEDIA_TYPE');
  expect((await imports.api('get', '').expect(200)).body.data).toEqual([]);
  // A purge of the service itself may have locked some.
  await eventually(async () => {
    await on.service.app.get(PgImportUpkeep, { strict: false }).purgeSome(1000);
    const left = await on.database.query('SELECT FROM imports WHERE project_id = $1', [imports.projectId]);
    return left.length === 0;
  });
});

test('rows of CSV with further cells are refused, and semicolons and tabs separate cells, too', async () => {
  const { id, counts } = await imports.check('name;custom_path\nOne;one\nTwo\nThree;three;more\n', '', 'csv');
  expect(counts).toEqual({ ...none, created: 2, refused: 1 });
  expect((await imports.rows(id, 'refused'))[0]!.record).toEqual({
    name: 'Three',
    custom_path: 'three',
    column_3: 'more',
  });
  const report = await imports.api('get', `/${id}/report?outcome=refused`).expect(200);
  expect(report.text.split('\r\n')[0]).toMatch(/,name,custom_path,column_3$/);
  expect(report.text).toContain('Three,three,more');
  expect((await imports.check('name\tcustom_path\nOne\tone\n', '', 'csv')).counts.created).toBe(1);
});

test('links on former subdomains and on all verified domains keep their addresses', async () => {
  const [project] = await on.database.query<{ subdomain: string }>('SELECT subdomain FROM projects WHERE id = $1', [
    imports.projectId,
  ]);
  const former = project!.subdomain;
  await updated(on, account.key, `/projects/${imports.projectId}`, { subdomain: `${former.slice(0, 40)}-new` });
  for (const [hostname, verified] of [
    ['one.example.com', true],
    ['two.example.com', true],
    ['open.example.com', false],
  ] as const)
    await on.database.query(
      `INSERT INTO custom_domains (id, project_id, hostname, challenge, verified_at, next_check_at, active)
       VALUES ($1, $2, $3, 'challenge', CASE WHEN $4 THEN now() END, CASE WHEN $4 THEN now() END, $3 = 'one.example.com')`,
      [newId(), imports.projectId, hostname, verified],
    );
  const hosts = [`${former}.localhost`, 'one.example.com', 'two.example.com', 'open.example.com'];
  const rows = hosts.map((host, at) => ({ 'Short link': `https://${host}/a${at}`, link: url }));
  const { id } = await imports.check(ndjson(rows), 'source=firebase-dynamic-links');
  expect((await imports.rows(id)).map(({ unmapped }) => unmapped.length)).toEqual([0, 0, 0, 1]);
});

test('apps that the project lacks, and fields without a place, are counted in all rows', async () => {
  const { projectId } = imports;
  await anIosApp(on, account.key, projectId, { bundle_id: 'com.example.shop' });
  const rows = Array.from({ length: 130 }, (_, at) => ({
    shortLink: `https://${projectId}.example.com/path-${at}`,
    link: url,
    ibi: at < 80 ? 'com.example.shop' : `com.example.lost${at % 2}`,
    isi: at === 129 ? '7' : undefined,
  }));
  const refused = {
    shortLink: 'https://go.example.com/bad path',
    link: url,
    apn: ' com.example.lost ',
    extra: '🎉'.repeat(60),
  };
  const checked = await imports.check(ndjson([...rows, refused]), 'source=firebase-dynamic-links');
  const unmapped = {
    fields: [
      { field: 'shortLink', rows: 130, example: `https://${projectId}.example.com/path-0` },
      { field: 'isi', rows: 1, example: '7' },
      { field: 'extra', rows: 1, example: `${'🎉'.repeat(50)}…` },
    ],
    missing_apps: [
      { platform: 'ios', identifier: 'com.example.lost0', rows: 25 },
      { platform: 'ios', identifier: 'com.example.lost1', rows: 25 },
      { platform: 'android', identifier: 'com.example.lost', rows: 1 },
    ],
    complete: true,
  };
  expect(checked).toMatchObject({ counts: { ...none, created: 130, refused: 1 }, unmapped });
  expect((await imports.rows(checked.id, 'refused'))[0]!.unmapped).toEqual([
    { field: 'extra', value: '🎉'.repeat(60) },
    { field: 'apn', value: ' com.example.lost ' },
  ]);
  // The run counts them anew.
  await anIosApp(on, account.key, projectId, { bundle_id: 'com.example.lost1' });
  expect((await imports.run(checked.id)).unmapped).toEqual({
    ...unmapped,
    missing_apps: unmapped.missing_apps.filter(({ identifier }) => identifier !== 'com.example.lost1'),
  });
});

test('columns are mapped, and values without a place are reported', async () => {
  const options = encodeURIComponent(JSON.stringify({ columns: { Slug: 'custom_path', Target: 'desktop_url' } }));
  const { id } = await imports.check(
    'Slug,Target,Owner\none,https://a.example/,Ann\n',
    `source=csv&options=${options}`,
    'csv',
  );
  expect((await imports.rows(id))[0]!.unmapped).toEqual([{ field: 'Owner', value: 'Ann' }]);
  await imports.run(id);
  expect((await imports.links())['one']).toMatchObject({ desktop_url: 'https://a.example/', imported_from: 'csv' });
  expect(await imports.upload('{}', 'options=x')).toBeRefusedWith('INVALID_INPUT');
  expect(await imports.upload('{}', 'options=%7B%22x%22%3A1%7D')).toBeRefusedWith('INVALID_INPUT');
  expect(await imports.upload('{}', 'source=nowhere')).toBeRefusedWith('INVALID_INPUT');
});

test.each([
  ['nests too deep', '['.repeat(4000) + ']'.repeat(4000), 'options must not nest arrays and objects too deep'],
  ['is too long', ' '.repeat(8000) + '{}', 'options must have at most 8000 characters'],
])('a text of options that %s is refused', async (_, options, message) => {
  const refused = await imports.upload('{}', `options=${options.replaceAll(' ', '+')}`);
  expect(refused).toBeRefusedWith('INVALID_INPUT', [{ code: 'too_big', path: ['options'], message }]);
});

test('rows are listed by outcome in pages', async () => {
  const rows = Array.from({ length: 25 }, (_, at) => link(at % 2 ? `path-${at}` : 'bad path'));
  const { id } = await imports.check(ndjson(rows));
  const { body } = await imports.api('get', `/${id}/rows?outcome=refused&page=2&limit=5`).expect(200);
  expect(body.pagination).toMatchObject({ page: 2, total: 13, totalPages: 3 });
  expect(body.data.map(({ row }: { row: number }) => row)).toEqual([11, 13, 15, 17, 19]);
  const past = await imports.api('get', `/${id}/rows?page=4`).expect(200);
  expect(past.body.data).toEqual([]);
  expect(await imports.api('get', `/${unknownId}/rows`)).toBeRefusedWith('NOT_FOUND');
});

test('passwords are hashed outside of transactions, and protect the links', async () => {
  const areOpen: boolean[] = [];
  const transactions = worker.context.get(TransactionContext, { strict: false });
  beforeHash(async () => void areOpen.push(transactions.isOpen));
  const rows = [link('one', { password: 'secret' }), link('two'), link('three', { password: 'secret' })];
  const { id } = await imports.check(ndjson(rows));
  expect((await imports.run(id)).counts).toMatchObject({ created: 3 });
  expect(areOpen).toEqual([false, false]);
  expect(await imports.links()).toMatchObject({
    one: { has_password: true },
    two: { has_password: false },
    three: { has_password: true },
  });
});

test('an import that is cancelled while passwords are hashed hashes them once', async () => {
  const { id } = await imports.check(ndjson([link('one', { password: 'secret' })]));
  let hashes = 0;
  beforeHash(async () => {
    hashes++;
    await imports.api('post', `/${id}/cancel`).expect(200);
  });
  expect(await imports.run(id)).toMatchObject({ state: 'cancelled', counts: none });
  expect(await imports.import([link('two')])).toMatchObject({ state: 'completed' });
  expect(hashes).toBe(1);
});

const derive = crypto.scrypt as (...values: unknown[]) => void;

function beforeHash(act: () => Promise<void>): void {
  jest.spyOn(crypto, 'scrypt').mockImplementation((...all: unknown[]) => void act().finally(() => derive(...all)));
}

test('an import is deleted, also while it works, and its links stay', async () => {
  const checked = await imports.check(ndjson([link('one')]));
  await imports.run(checked.id);
  const other = (await imports.upload(ndjson(Array.from({ length: 500 }, (_, at) => link(`other-${at}`))))).body.data;
  await imports.api('delete', `/${other.id}`).expect(200);
  await imports.api('delete', `/${checked.id}`).expect(200);
  for (const path of ['', '/rows', '/report', '/events'])
    expect(await imports.api('get', `/${checked.id}${path}`)).toBeRefusedWith('NOT_FOUND');
  expect(await imports.api('delete', `/${checked.id}`)).toBeRefusedWith('NOT_FOUND');
  expect((await imports.api('get', '').expect(200)).body.data).toEqual([]);
  expect(Object.keys(await imports.links())).toEqual(['one']);
});

test('the progress of a dry run is the part of its file, and that of a run the part of its rows', async () => {
  const batch = worker.context.get(ImportBatchService, { strict: false });
  const run = batch.run.bind(batch);
  const rows = [link('one'), link('second'), link('three'), link('four')];
  const file = ndjson(rows);
  const { id } = await afterOneRow(async () => (await imports.upload(file).expect(202)).body.data.id);
  const part = Buffer.byteLength(ndjson(rows.slice(0, 1))) / Buffer.byteLength(file);
  expect(await imports.get(id)).toMatchObject({ state: 'checking', rows: 1, processed: 1, progress: part });
  jest.restoreAllMocks();
  expect(await imports.done(id)).toMatchObject({ state: 'ready', rows: 4, processed: 4, progress: null });
  await afterOneRow(async () => (await imports.api('post', `/${id}/run`).expect(202)).body.data.id);
  expect(await imports.get(id)).toMatchObject({ state: 'running', rows: 4, processed: 1, progress: 0.25 });
  jest.restoreAllMocks();
  expect(await imports.done(id)).toMatchObject({ state: 'completed', progress: null });

  /** Begins a phase that stops after its first row. */
  async function afterOneRow(begin: () => Promise<string>): Promise<Import> {
    const held = jest.spyOn(batch, 'run').mockImplementation(() => sleep(20, { rows: 0, hasMore: true }));
    held.mockImplementationOnce((importId) => run(importId, 1));
    const importId = await begin();
    return eventually(async () => {
      const job = await imports.get(importId);
      return job.processed === 1 && job;
    });
  }
});
