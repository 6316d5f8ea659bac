import { textExamples } from '../../contracts/fields';
import { anAndroidApp, anIosApp, aProject, aTemplate, type ProjectBody } from '../../support/builders';
import { startImports } from '../../support/imports';
import { sample } from '../../support/scale';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { ImportRequests, none } from './import-requests';

let on: TestService;
let account: TestAccount;
beforeAll(async () => {
  on = await aService();
  await startImports(on);
  account = await on.anAccount('enterprise');
});
afterAll(() => on.stop());

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

/** Has each field, with values that are special in CSV and JSON. */
const everything = {
  ...textExamples,
  name: '=HYPERLINK("http://evil.example")',
  custom_path: 'summer/sale',
  desktop_url: 'https://shop.example.com/?a=1,2;3',
  ios_bundle_id: 'com.example.shop',
  android_package_name: 'com.example.shop',
  ios_fallback_url: 'https://shop.example.com/ios',
  android_fallback_url: 'https://shop.example.com/android',
  ios_deferred_deep_link: true,
  social_title: 'Sale',
  social_description: 'First line\nsecond "line"; third\r\n\tand more',
  social_image_url: 'https://shop.example.com/a.png',
  referrer_params: { utm_source: 'news, letter', utm_term: '=x' },
  app_data: { screen: '=sale', product: { id: 42 } },
  query_forwarding: 'listed',
  forwarded_params: ['utm_source', 'a, b'],
  variants: [
    { name: 'Old page', url: 'https://shop.example.com/a', weight: 90 },
    { name: 'Neu, "B"', url: 'https://shop.example.com/b?x=1', weight: 0 },
  ],
  rules: [
    {
      when: { query: { '=ref': null }, countries: ['DE'] },
      then: { url: 'https://shop.example.com/a,b', params: { z: '1', a: '2' } },
    },
    { when: {}, then: { app: true } },
  ],
  template: '=Mails, "A"',
  active_from: '2026-01-01T00:00:00.000Z',
  active_until: '2036-01-31T23:00:00.123Z',
  expired_url: 'https://shop.example.com/ended',
  click_limit: 3,
  external_id: '-4711',
  title: "'Tis summer ☀️",
  notes: '\t@SUM(A1)',
  archived: true,
  disabled: true,
  conversions: true,
  tags: ['Sommer, spät', '+plus', 'the "best"'],
  imported_from: 'bitly',
  original_created_at: '2020-02-02T02:02:02.000Z',
  original_clicks: 4711,
};

test('an export of links that were created here finds them unchanged', async () => {
  const project = await aProjectWithApps();
  for (const custom_path of ['one', 'two'])
    await on
      .api('post', `/projects/${project.id}/links`, account.key)
      .send({ name: custom_path, custom_path })
      .expect(201);
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
  await on
    .api('post', `/projects/${project.id}/links`, account.key)
    .send({ name: 'Empty', ...texts })
    .expect(201);
  const imports = new ImportRequests(on, account, project.id);
  for (const [format, type] of Object.entries(types)) {
    const { counts } = await imports.check(await exported(project, format), '', type);
    expect([format, counts]).toEqual([format, { ...none, unchanged: 1 }]);
  }
});
