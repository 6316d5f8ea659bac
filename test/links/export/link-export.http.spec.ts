import { csvColumns } from '../../../src/links/export/link-formats';
import {
  aDynamicLink,
  anAndroidApp,
  anIosApp,
  aProject,
  aTemplate,
  dataAt,
  type LinkBody,
  unique,
} from '../../support/builders';
import { readCsv, readCsvObjects } from '../../support/csv';
import { accountFixture, fixtureOfEach, serviceFixture } from '../../support/fixtures';
import { statementsOf } from '../../support/statements';
import { linesOf, manyLinks } from './running-export';
import { specialFields } from './special-fields';

const on = serviceFixture();
const account = accountFixture(on);
const project = fixtureOfEach(() => aProject(on, account.key));

/** Keeps the byte order mark, which `text()` leaves out. */
async function exported(format: string, of = project): Promise<{ headers: Record<string, string>; body: string }> {
  const url = `${on.url}/api/v1/projects/${of.id}/links/export?format=${format}`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${account.key}` } });
  expect(response.status).toBe(200);
  return { headers: Object.fromEntries(response.headers), body: Buffer.from(await response.arrayBuffer()).toString() };
}

const textOf = async (format: string, of = project): Promise<string> => (await exported(format, of)).body;

const everything = (ids: { ios: string; android: string }) => ({
  ...specialFields,
  ios_app_id: ids.ios,
  android_app_id: ids.android,
  social_title: '',
});

async function aLinkWithEverything(of = project) {
  const ios = await anIosApp(on, account.key, of.id, { bundle_id: `com.example.${unique('shop')}` });
  const android = await anAndroidApp(on, account.key, of.id);
  await aTemplate(on, account.key, of.id, { name: specialFields.template });
  const link = await aDynamicLink(on, account.key, of.id, everything({ ios: ios.id, android: android.id }));
  return { link: await dataAt<LinkBody>(on, account.key, `/projects/${of.id}/links/${link.id}`), ios, android };
}

describe('formats', () => {
  test('NDJSON has each link as the API returns it', async () => {
    const { link } = await aLinkWithEverything();
    const plain = await aDynamicLink(on, account.key, project.id);
    const response = await exported('ndjson');
    const lines = linesOf(response.body);
    expect(lines[0]).toEqual(link);
    expect(lines[1]).toEqual({ ...plain, ios_apps: null, android_apps: null });
    expect(lines).toHaveLength(2);
    expect(response.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="links-${project.subdomain}.ndjson"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('CSV has a column for each field, and can be read back without loss', async () => {
    const { link, ios, android } = await aLinkWithEverything();
    await aDynamicLink(on, account.key, project.id, { name: 'Plain' });
    const response = await exported('csv');
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    const csv = response.body;
    const { project_id: _, ios_app_id: __, android_app_id: ___, ios_apps, android_apps, ...fields } = link;
    expect([ios_apps, android_apps]).not.toContain(null);
    const [first, plain] = readCsvObjects(csv);
    expect(Object.keys(first!)).toEqual(csvColumns);
    expect(first).toEqual({
      ...Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, value === null ? null : String(value as string)]),
      ),
      ios_bundle_id: ios.bundle_id,
      android_package_name: android.package_name,
      referrer_params: JSON.stringify(fields['referrer_params']),
      app_data: JSON.stringify(fields['app_data']),
      variants: JSON.stringify(fields['variants']),
      rules: JSON.stringify(fields['rules']),
      forwarded_params: 'utm_source, "a, b"',
      tags: `"Sommer, spät", +plus, "the ""best"""`,
    });
    expect(plain).toMatchObject({ name: 'Plain', tags: null, notes: null, archived: 'false', ios_bundle_id: null });
  });

  test('no cell of the CSV begins a formula, and the file names its encoding', async () => {
    await aLinkWithEverything();
    const csv = await textOf('csv');
    expect(csv.startsWith('\uFEFFid,name,')).toBe(true);
    const cells = readCsv(csv).flat();
    expect(cells).toEqual(expect.arrayContaining([`'=HYPERLINK("http://evil.example")`, "'-4711", "\t'@SUM(A1)"]));
    expect(cells.filter((cell) => /^ *[=+\-@]/.test(cell ?? ''))).toEqual([]);
  });

  test('the format for other projects names apps as Apple and Google do, and no ids', async () => {
    const { link, ios, android } = await aLinkWithEverything();
    const [portable] = linesOf(await textOf('signpost'));
    const { ios_app_id: _, android_app_id: __, ...fields } = everything({ ios: '', android: '' });
    expect(portable).toEqual({
      ...fields,
      ios_bundle_id: ios.bundle_id,
      android_package_name: android.package_name,
      imported_from: 'signpost',
      original_created_at: link['created_at'],
      original_clicks: null,
    });
  });

  test('a project without links gives the head of the CSV, and an empty NDJSON', async () => {
    expect(readCsv(await textOf('csv'))).toEqual([csvColumns]);
    expect([await textOf('ndjson'), await textOf('signpost')]).toEqual(['', '']);
  });
});

describe('the route', () => {
  test('CSV is the default', async () => {
    const response = await on.api('get', `/projects/${project.id}/links/export`, account.key).expect(200);
    expect(response.headers['content-type']).toContain('text/csv');
  });

  test('HEAD answers the headers alone, and reads no more than the first links', async () => {
    await manyLinks(on, project.id, 300);
    const statements = await statementsOf(on, () =>
      on.api('head', `/projects/${project.id}/links/export`, account.key).expect(200),
    );
    expect(statements.filter((sql) => sql.includes('FROM dynamic_links'))).toHaveLength(1);
  });
});

describe('large projects', () => {
  test.each([99, 100, 101, 1000])('all of %i links of one moment are exported once', async (count) => {
    await manyLinks(on, project.id, count);
    const links = linesOf(await textOf('ndjson'));
    expect(links).toHaveLength(count);
    expect(new Set(links.map(({ id }) => id)).size).toBe(count);
  });

  test('the oldest links come first', async () => {
    await manyLinks(on, project.id, 250);
    await on.database.query(
      `UPDATE dynamic_links SET created_at = now() - interval '1 hour' WHERE project_id = $1 AND custom_path IN ('many-200', 'many-3')`,
      [project.id],
    );
    const links = linesOf(await textOf('ndjson'));
    expect(new Set(links.slice(0, 2).map(({ custom_path }) => custom_path))).toEqual(new Set(['many-200', 'many-3']));
    const keys = links.map(({ created_at, id }) => `${created_at as string} ${id as string}`);
    expect(keys).toEqual([...keys].sort());
  });
});
