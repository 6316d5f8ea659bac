import { aDynamicLink, aProject, type ProjectBody, unique } from '../../support/builders';
import { aClick, analytics, anOpenedLink, clicksOn } from '../recording/counting';
import { readCsv } from '../../support/csv';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let account: TestAccount;
let project: ProjectBody;
let linkId: string;
const query = { from: '2026-06-01T00:00:00Z', to: '2026-06-03T00:00:00Z', timezone: 'Europe/Berlin' };

beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  project = await aProject(on, account.key, { subdomain: unique('csv') });
  const link = { name: '=1+1', custom_path: 'formula', tags: ['=2+2'] };
  linkId = (await aDynamicLink(on, account.key, project.id, link)).id;
  const clicks = clicksOn(on.database);
  const click = (at: string, fields = {}) =>
    aClick({ at: Date.parse(at), projectId: project.id, link: anOpenedLink({ id: linkId }), ...fields });
  await clicks.write([
    click('2026-06-01T10:00:00Z', { referrer: '@evil.example' }),
    click('2026-06-01T11:00:00Z'),
    click('2026-06-02T11:00:00Z'),
  ]);
  await clicks.close();
});
afterAll(() => on.stop());

async function csvOf(path: string, more: Record<string, string> = {}): Promise<(string | null)[][]> {
  const search = new URLSearchParams({ ...query, ...more, format: 'csv' }).toString();
  const response = await on.api('get', `/projects/${project.id}${path}/analytics?${search}`, account.key).expect(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="clicks-${project.subdomain}.csv"`,
  });
  expect(response.text.startsWith('\uFEFF')).toBe(true);
  return readCsv(response.text);
}

const written = (...cells: (string | number | null)[]) => cells.map((cell) => (cell === null ? null : String(cell)));

test('a CSV without groups has a record per interval, as the series', async () => {
  const { series } = await analytics(on, account.key, project.id, query);
  const records = series.map(({ start, end, clicks, qr_scans }) => written(start, end, clicks, qr_scans));
  expect(records.length).toBeGreaterThan(1);
  for (const path of ['', `/links/${linkId}`])
    expect(await csvOf(path)).toEqual([['start', 'end', 'clicks', 'qr_scans'], ...records]);
});

test.each(['link', 'referrer', 'tag'] as const)(
  'a CSV by %s has a record per group, with all intervals',
  async (group_by) => {
    const { series, groups, other } = await analytics(on, account.key, project.id, { ...query, group_by });
    const neutral = (text: string | null) => text?.replace(/^(?=[=@])/, "'") ?? null;
    const starts = series.map(({ start }) => start);
    expect(await csvOf('', { group_by })).toEqual([
      ['kind', 'value', 'name', 'path', 'clicks', 'qr_scans', ...starts],
      ...groups!.map(({ value, name, path, clicks, qr_scans, series: counts }) =>
        written('group', neutral(value), neutral(name), path, clicks, qr_scans, ...counts),
      ),
      written('other', null, null, null, other!.clicks, other!.qr_scans, ...starts.map(() => null)),
    ]);
  },
);

test('another format is refused', async () => {
  const response = await on.api('get', `/projects/${project.id}/analytics?format=xml`, account.key);
  expect(response).toBeRefusedWith('INVALID_INPUT');
});
