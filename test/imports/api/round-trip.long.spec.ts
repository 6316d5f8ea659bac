import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { maxStreams } from '../../../src/imports/api/import-events';
import { newId } from '../../../src/shared/id';
import { TypeormImportRepository } from '../../../src/imports/model/typeorm-import.repository';
import { maxCells } from '../../../src/imports/files/file-columns';
import { csvColumns } from '../../../src/links/export/link-formats';
import { anAndroidApp, anIosApp, aProject, aTemplate, created, type ProjectBody } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { specialFields } from '../../links/export/special-fields';
import { startImports } from '../../support/imports';
import { sample } from '../../support/scale';
import { ImportRequests, ndjson, none, importsOfEach } from './import-requests';
import { serviceFixture, accountFixture } from '../../support/fixtures';

const on = serviceFixture();
beforeAll(() => startImports(on));
const account = accountFixture(on);
const imports = importsOfEach(on, account);

const report = async (id: string, query = ''): Promise<string> => {
  const answer = await imports.api('get', `/${id}/report${query}`).expect(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  return answer.text;
};

test('a report has the rows with their reasons, and its corrected rows can be sent again', async () => {
  const { id } = await imports.check('name,custom_path,Owner\nOne,one,Ann\n"Two, too",bad path,Bob\n', '', 'csv');
  const text = await report(id, '?outcome=refused');
  expect(text).toMatch(
    /^\uFEFFsignpost_row,signpost_outcome,signpost_field,signpost_reason,signpost_unmapped,name,custom_path,Owner\r\n/,
  );
  expect(text).toMatch(/\r\n2,refused,custom_path,"?custom_path .*"?,Owner,"Two, too",bad path,Bob\r\n$/);
  const corrected = await imports.check(text.replace('bad path', 'two'), '', 'csv');
  expect(corrected.counts).toEqual({ ...none, created: 1 });
  expect((await imports.rows(corrected.id))[0]!.record).toEqual({ name: 'Two, too', custom_path: 'two', Owner: 'Bob' });
});

test('formulas are text in a report, and formulas again in the next import', async () => {
  const titles = ['=1+1', '+49 30 1', '-x', '@SUM(A1)', "'=x", '\t=x', 'a;=b', '＝1', 'plain', ''];
  const rows = titles.map((title, at) => ({ name: `=name ${at}`, custom_path: `path-${at}`, title }));
  const { id } = await imports.check(ndjson(rows));
  const text = await report(id);
  for (const line of text.split('\r\n').slice(1, -1)) expect(line).not.toMatch(/(?:^|[,;\t])"?[=+\-@＝]/);
  const again = await imports.check(text, '', 'csv');
  expect((await imports.rows(again.id)).map(({ record }) => record)).toEqual(rows);
});

test('formulas of a report or an export are formulas again without columns that were deleted', async () => {
  const name = '-20 % sale';
  const { id } = await imports.check(`name,custom_path\n${name},sale\n`, '', 'csv');
  const withoutReason = (await report(id)).replace('signpost_reason,', '').replace('created,,,,', 'created,,,');
  const ofReport = await imports.check(withoutReason, '', 'csv');
  expect((await imports.rows(ofReport.id))[0]!.record).toEqual({ name, custom_path: 'sale' });

  const ofExport = csvColumns.filter((column) => !['id', 'full_url', 'notes', 'tags'].includes(column));
  const cells = ofExport.map((column) => (column === 'name' ? `'${name}` : ''));
  const again = await imports.check(`${ofExport.join()}\n${cells.join()}\n`, '', 'csv');
  expect((await imports.rows(again.id))[0]!.record).toMatchObject({ name });

  const own = await imports.check(`name,custom_path\n'${name},own\n`, '', 'csv');
  expect((await imports.rows(own.id))[0]!.record).toMatchObject({ name: `'${name}` });
});

test('records of JSON are the same after a report, whatever their types', async () => {
  const rows = [
    { name: 'A', tags: ['x', 'y'], archived: true, referrer_params: { b: '1' }, title: null, notes: '' },
    { name: 'B', original_clicks: 12, extra: [1, { a: null }] },
    Object.fromEntries([['name', 'C'], ...Array.from({ length: 250 }, (_, at) => [`key-${at}`, at])]),
  ];
  const { id } = await imports.check(ndjson(rows));
  const again = await imports.check(await report(id), '', 'csv');
  expect((await imports.rows(again.id)).map(({ record }) => record)).toEqual(rows);
  // Its own report is one of CSV, in which a cell holds the same JSON.
  const [head, first] = (await report(again.id)).split('\r\n');
  const third = await imports.check(`${head}\r\n${first}\r\n`, '', 'csv');
  const [row] = await imports.rows(third.id);
  expect(row!.record).toMatchObject({ name: 'A', tags: '["x","y"]', archived: 'true', referrer_params: '{"b":"1"}' });
  expect([row!.outcome, row!.record!['title'], row!.record!['notes']]).toEqual(['created', '', '']);
});

test('names of keys are columns as long as they have the length of a row together', async () => {
  const rows = ['a', 'b', 'c'].map((letter) => ({ name: letter, [letter.repeat(90_000)]: '1' }));
  const { id } = await imports.check(ndjson(rows));
  const text = await report(id);
  expect(text.split('\r\n', 1)[0]!.length).toBeLessThan(200_000);
  const again = await imports.check(text, '', 'csv');
  const keys = (await imports.rows(again.id)).flatMap(({ record }) => Object.keys(record!));
  expect(keys.filter((key) => key.length > 100).map((key) => [key[0], key.length])).toEqual([
    ['a', 90_000],
    ['b', 90_000],
    ['c', 90_000],
  ]);
});

test.each([
  ['TRUE', 'FALSE'],
  ['WAHR', 'FALSCH'],
])('a report of JSON in which a spreadsheet has written %s and %s has the same records', async (on_, off) => {
  const rows = [{ name: 'A', archived: true, disabled: false, title: 'true' }];
  const { id } = await imports.check(ndjson(rows));
  const saved = (await report(id)).replace(',true,false,', `,${on_},${off},`);
  expect(saved).toContain(`,${on_},${off},`);
  const again = await imports.check(saved, '', 'csv');
  expect((await imports.rows(again.id)).map(({ record }) => record)).toEqual(rows);
});

test('a report of CSV has all columns', async () => {
  const names = Array.from({ length: maxCells - 1 }, (_, at) => `column ${at}`);
  const { id } = await imports.check(`name,${names.join(',')}\nOne,${names.join(',')}\n`, '', 'csv');
  const again = await imports.check(await report(id), '', 'csv');
  expect((await imports.rows(again.id))[0]!.record).toEqual({
    name: 'One',
    ...Object.fromEntries(names.map((name) => [name, name])),
  });
});

test('empty cells of CSV are empty in its report', async () => {
  const { id } = await imports.check('name,social_title,notes,desktop_url\nWinter,,"",httpx://bad\n', '', 'csv');
  const [before] = await imports.rows(id);
  const again = await imports.check(await report(id), '', 'csv');
  expect((await imports.rows(again.id))[0]!.record).toEqual(before!.record);
  expect(before!.record).toEqual({ name: 'Winter', social_title: '', notes: '', desktop_url: 'httpx://bad' });
});

test('a cell with JSON that nests too deep is a problem of its row', async () => {
  const { id } = await imports.check(ndjson([{ name: 'One', extra: [1] }]));
  const [head, row] = (await report(id)).split('\r\n');
  const deep = '['.repeat(3000) + ']'.repeat(3000);
  const inColumn = row!.replace('[1]', deep);
  const inMore = row!.replace('"[""extra""]",', `"[""extra""]","{""a"":${deep}}"`);
  const inNames = row!.replace('"[""extra""]"', deep);
  const again = await imports.check([head, inColumn, inMore, inNames, row].join('\r\n'), '', 'csv');
  const problems = (await imports.rows(again.id)).map((one) => one.problems.map(({ reason }) => reason));
  const fault = ['The row nests arrays and objects too deep'];
  expect(problems).toEqual([fault, fault, fault, []]);
  expect((await report(again.id)).split('\r\n')).toHaveLength(6);
});

test('a report of CSV invents no cells, whatever the names of columns', async () => {
  const { id } = await imports.check('name,constructor,toString,__proto__\nShort\nOne,a,b,c\n', '', 'csv');
  const [, short, full] = (await report(id)).split('\r\n');
  expect(short).toMatch(/,Short,,,$/);
  expect(full).toMatch(/,One,a,b,c$/);
});

test('events tell the progress until the dry run has ended', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => ({ name: 'A link', custom_path: `path-${at}` }));
  const { body } = await imports.upload(ndjson(rows)).expect(202);
  const answer = await imports.api('get', `/${body.data.id}/events`).buffer(true).expect(200);
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  const events = answer.text
    .trim()
    .split('\n\n')
    // The comments keep the connection open, if nothing changes for a while.
    .filter((event) => !event.startsWith(':'))
    .map((event) => {
      const [, name, data] = /^event: (\w+)\ndata: (.+)$/.exec(event)!;
      return { name, job: JSON.parse(data!) };
    });
  expect(events.at(-1)).toMatchObject({
    name: 'done',
    job: { state: 'ready', processed: 300, remaining_seconds: null },
  });
  for (const { name, job } of events.slice(0, -1)) expect([name, job.state]).toEqual(['progress', 'checking']);
});

test('streams of clients that have gone leave their places to others', async () => {
  // No process works on this import, so nothing changes.
  const fields = { source: 'bitly', format: 'api', conflictPolicy: 'skip', options: {}, list: null } as const;
  const quiet = { ...fields, id: newId(), projectId: imports.projectId, state: 'uploading' } as const;
  await on.service.app.get(TypeormImportRepository, { strict: false }).insert(quiet);
  const url = `${on.url}/api/v1/projects/${imports.projectId}/imports/${quiet.id}/events`;
  const watch = async (): Promise<{ client: ClientRequest; status: number }> => {
    const client = get(url, { agent: false, headers: { Authorization: `Bearer ${account.key}` } });
    const [response] = (await once(client, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return { client, status: response.statusCode! };
  };
  const open = await Promise.all(Array.from({ length: maxStreams.ofAccount }, watch));
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
  expect((await watch()).status).toBe(429);
  for (const { client } of open) client.destroy();
  await eventually(async () => {
    const { client, status } = await watch();
    client.destroy();
    return status === 200;
  });
});

/** Keeps the byte order mark, which `text()` leaves out. */
async function exported(project: ProjectBody, format: string): Promise<string> {
  const url = `${on.url}/api/v1/projects/${project.id}/links/export?format=${format}`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${account.key}` } });
  return Buffer.from(await response.arrayBuffer()).toString();
}

/** The apps and the template that links name exist in both projects. */
async function aProjectWithApps(): Promise<ProjectBody> {
  const project = await aProject(on, account.key);
  await anIosApp(on, account.key, project.id, { bundle_id: 'com.example.shop' });
  await anAndroidApp(on, account.key, project.id, { package_name: 'com.example.shop' });
  await aTemplate(on, account.key, project.id, { name: everything.template });
  return project;
}

const everything = {
  ...specialFields,
  ios_bundle_id: 'com.example.shop',
  android_package_name: 'com.example.shop',
  imported_from: 'bitly',
  original_created_at: '2020-02-02T02:02:02.000Z',
  original_clicks: 4711,
};

test('an export of links that were created here finds them unchanged', async () => {
  const project = await aProjectWithApps();
  for (const custom_path of ['one', 'two'])
    await created(on, account.key, `/projects/${project.id}/links`, { name: custom_path, custom_path });
  const imports = new ImportRequests(on, account, project.id);
  const rows = (await exported(project, 'signpost'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  rows.push({ ...rows[0], custom_path: 'three' });
  rows[0] = { ...rows[0], title: 'Edited' };
  const job = await imports.import(rows, 'conflict=replace');
  expect(job.counts).toEqual({ ...none, replaced: 1, unchanged: 1, created: 1 });
});

const types = {
  signpost: 'ndjson',
  ndjson: 'ndjson',
  csv: 'csv',
  'csv&delimiter=semicolon': 'csv',
  'csv&delimiter=tab': 'csv',
} as const;

test.each(sample(Object.keys(types) as (keyof typeof types)[], 0, 3))(
  'an export as %s, imported elsewhere, exports equal',
  async (format) => {
    const project = await aProjectWithApps();
    const tagged = [['+plus'], ['a|b', 'c'], ['[1]', 'd'], ['{}']].map((tags) => ({ name: 'Tagged', tags }));
    const nulls = { name: 'Null', title: 'null', notes: 'undefined', social_title: '\\N', social_description: 'NULL' };
    const rows = [everything, { name: 'Plain' }, nulls, ...tagged];
    const first = await new ImportRequests(on, account, project.id).import(rows);
    expect(first.counts).toEqual({ ...none, created: rows.length });

    const other = await aProjectWithApps();
    const imports = new ImportRequests(on, account, other.id);
    const file = await exported(project, format);
    const { id, counts } = await imports.check(file, '', types[format]);
    expect(counts).toEqual({ ...none, created: rows.length });
    await imports.run(id);
    const portable = await exported(project, 'signpost');
    expect(JSON.parse(portable.split('\n')[0]!)).toEqual(everything);
    expect(await exported(other, 'signpost')).toBe(portable);
    // The same file again finds equal links, in both projects.
    expect((await imports.check(file, '', types[format])).counts).toEqual({ ...none, unchanged: rows.length });
    const own = new ImportRequests(on, account, project.id);
    expect((await own.check(file, '', types[format])).counts).toEqual({ ...none, unchanged: rows.length });
  },
);

test.each(
  sample(
    [
      ['WAHR', 'FALSCH'],
      ['VRAI', 'FAUX'],
    ] as const,
    0,
    1,
  ),
)('an export in which a spreadsheet has written %s and %s finds its links unchanged', async (on_, off) => {
  const project = await aProjectWithApps();
  const imports = new ImportRequests(on, account, project.id);
  await imports.import([everything, { name: 'Plain', disabled: true }]);
  const saved = (await exported(project, 'csv'))
    .replaceAll(/(?<=,)true(?=,)/g, on_)
    .replaceAll(/(?<=,)false(?=,)/g, off);
  expect([saved.split(`,${on_}`).length > 2, saved.includes(',true')]).toEqual([true, false]);
  expect((await imports.check(saved, '', 'csv')).counts).toEqual({ ...none, unchanged: 2 });
});

test('an export of links with empty texts finds them unchanged', async () => {
  const project = await aProjectWithApps();
  const texts = { social_title: '', social_description: '', title: '', notes: '' };
  await created(on, account.key, `/projects/${project.id}/links`, { name: 'Empty', ...texts });
  const imports = new ImportRequests(on, account, project.id);
  for (const [format, type] of Object.entries(types)) {
    const { counts } = await imports.check(await exported(project, format), '', type);
    expect([format, counts]).toEqual([format, { ...none, unchanged: 1 }]);
  }
});
