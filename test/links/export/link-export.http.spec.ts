import { csvColumns } from '../../../src/links/export/link-formats';
import { textExamples } from '../../contracts/fields';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, type ProjectBody, unique } from '../../support/builders';
import { readCsv, readCsvObjects } from '../../support/csv';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { statementsOf } from '../../support/statements';
import { linesOf, manyLinks } from './running-export';

let on: TestService;
let account: TestAccount;
let project: ProjectBody;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
});
afterAll(() => on.stop());
beforeEach(async () => {
  project = await aProject(on, account.key);
});

/** Keeps the byte order mark, which `text()` leaves out. */
async function exported(format: string, of = project): Promise<{ headers: Record<string, string>; body: string }> {
  const url = `${on.url}/api/v1/projects/${of.id}/links/export?format=${format}`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${account.key}` } });
  expect(response.status).toBe(200);
  return { headers: Object.fromEntries(response.headers), body: Buffer.from(await response.arrayBuffer()).toString() };
}

const textOf = async (format: string, of = project): Promise<string> => (await exported(format, of)).body;

/** Uses each field, with values that are special in CSV and JSON. */
const everything = (ids: { ios: string; android: string }) => ({
  ...textExamples,
  name: '=HYPERLINK("http://evil.example")',
  custom_path: 'summer/sale',
  desktop_url: 'https://shop.example.com/?a=1,2;3',
  ios_app_id: ids.ios,
  android_app_id: ids.android,
  ios_fallback_url: 'https://shop.example.com/ios',
  android_fallback_url: 'https://shop.example.com/android',
  ios_deferred_deep_link: true,
  social_title: '',
  social_description: 'First line\nsecond "line"; third\r\n\tand more',
  social_image_url: 'https://shop.example.com/a.png',
  referrer_params: { utm_source: 'news, letter', __proto: '' },
  app_data: { screen: 'sale, "1"', product: { id: 42 } },
  query_forwarding: 'listed',
  forwarded_params: ['utm_source', 'a, b'],
  variants: [
    { name: 'A', url: 'https://shop.example.com/a,b', weight: 1 },
    { name: 'B', url: 'https://shop.example.com/b', weight: 2 },
  ],
  rules: [{ when: { languages: ['de'] }, then: { url: 'https://shop.example.com/a,b' } }],
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
});

async function aLinkWithEverything(of = project) {
  const ios = await anIosApp(on, account.key, of.id, { bundle_id: `com.example.${unique('shop')}` });
  const android = await anAndroidApp(on, account.key, of.id);
  const link = await aDynamicLink(on, account.key, of.id, everything({ ios: ios.id, android: android.id }));
  const response = await on.api('get', `/projects/${of.id}/links/${link.id}`, account.key).expect(200);
  return { link: (response.body as { data: Record<string, unknown> }).data, ios, android };
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

  test('links that are created from it in another project export equal', async () => {
    const { ios, android } = await aLinkWithEverything();
    await aDynamicLink(on, account.key, project.id, { name: 'Plain', tags: ['Summer'] });
    const other = await aProject(on, account.key);
    const apps = {
      ios: await anIosApp(on, account.key, other.id, { bundle_id: ios.bundle_id }),
      android: await anAndroidApp(on, account.key, other.id, { package_name: android.package_name }),
    };
    const portable = linesOf(await textOf('signpost'));
    for (const { ios_bundle_id, android_package_name, ...fields } of portable) {
      const given = Object.entries(fields).filter(
        ([name, value]) => value !== null && !/^(?:imported_from|original_)/.test(name),
      );
      await aDynamicLink(on, account.key, other.id, {
        ...Object.fromEntries(given),
        desktop_url: fields['desktop_url'] ?? undefined,
        ...(ios_bundle_id !== null && { ios_app_id: apps.ios.id }),
        ...(android_package_name !== null && { android_app_id: apps.android.id }),
      });
    }
    const withoutOrigin = (lines: Record<string, unknown>[]) =>
      lines.map(({ original_created_at: _, ...fields }) => fields);
    expect(withoutOrigin(linesOf(await textOf('signpost', other)))).toEqual(withoutOrigin(portable));
  });

  test('the origin of an imported link is exported, so that its export is equal', async () => {
    const link = await aDynamicLink(on, account.key, project.id);
    await on.database.query(
      `UPDATE dynamic_links SET imported_from = 'bitly', original_created_at = '2020-02-02T02:02:02Z', original_clicks = 9007199254740991
       WHERE id = $1`,
      [link.id],
    );
    const origin = {
      imported_from: 'bitly',
      original_created_at: '2020-02-02T02:02:02.000Z',
      original_clicks: 9007199254740991,
    };
    expect(linesOf(await textOf('signpost'))).toEqual([expect.objectContaining(origin)]);
  });

  test('a project without links gives the head of the CSV, and an empty NDJSON', async () => {
    expect(readCsv(await textOf('csv'))).toEqual([csvColumns]);
    expect([await textOf('ndjson'), await textOf('signpost')]).toEqual(['', '']);
  });
});

describe('the route', () => {
  test('CSV is the default, and other formats are refused', async () => {
    const response = await on.api('get', `/projects/${project.id}/links/export`, account.key).expect(200);
    expect(response.headers['content-type']).toContain('text/csv');
    const refused = await on.api('get', `/projects/${project.id}/links/export?format=xml`, account.key);
    expect(refused).toBeRefusedWith('INVALID_INPUT');
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
