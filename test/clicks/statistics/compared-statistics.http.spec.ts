import { aDynamicLink, aProject, type ProjectBody, unique } from '../../support/builders';
import { aService, type TestService } from '../../support/service';
import { aClick, analytics, anOpenedLink, clicksOn } from '../recording/counting';
import { readCsv } from '../../support/csv';

const at = (time: string) => Date.parse(time);
const period = { from: '2026-06-10T00:00:00Z', to: '2026-06-12T00:00:00Z' };

let on: TestService;
let key: string;
let projectId: string;
let linkId: string;
let clicks: ReturnType<typeof clicksOn>;

beforeAll(async () => {
  on = await aService({ RECORD_CLICKS: 'false' });
  key = (await on.anAccount('pro')).key;
  projectId = (await aProject(on, key)).id;
  linkId = (await aDynamicLink(on, key, projectId)).id;
  clicks = clicksOn(on.database);
  const link = anOpenedLink({ id: linkId });
  const times = ['2026-06-01T12:00Z', '2026-06-02T12:00Z', '2026-06-02T13:00Z', '2026-06-11T12:00Z'];
  await clicks.write(times.map((time) => aClick({ at: at(time), projectId, link, country: 'AT' })));
});
afterAll(async () => {
  await clicks.close();
  await on.stop();
});

test('an earlier period is counted with the same conditions, by default for as long', async () => {
  const query = { ...period, country: 'AT', compare_from: '2026-06-01T00:00:00Z' };
  const { totals, compared } = await analytics(on, key, projectId, query);
  expect(totals.clicks).toBe(1);
  expect([compared!.from, compared!.to]).toEqual(['2026-06-01T00:00:00.000Z', '2026-06-03T00:00:00.000Z']);
  expect(compared!.totals.clicks).toBe(3);
  expect(compared!.series.map((part) => part.clicks)).toEqual([1, 2]);
  const other = await analytics(on, key, projectId, { ...query, country: 'DE', compare_to: '2026-06-02T00:00:00Z' });
  expect([other.totals.clicks, other.compared!.totals.clicks, other.compared!.series.length]).toEqual([0, 0, 1]);
});

test('a CSV has the compared period beside the other', async () => {
  const query = { ...period, compare_from: '2026-06-01T00:00:00Z', compare_to: '2026-06-02T00:00:00Z', format: 'csv' };
  const { text } = await on.api('get', `/projects/${projectId}/analytics`, key).query(query);
  expect(text.replace('\ufeff', '').trim().split('\r\n')).toEqual([
    'start,end,clicks,qr_scans,compared_start,compared_clicks',
    '2026-06-10T00:00:00.000Z,2026-06-11T00:00:00.000Z,0,0,2026-06-01T00:00:00.000Z,1',
    '2026-06-11T00:00:00.000Z,2026-06-12T00:00:00.000Z,1,0,,',
  ]);
});

test('the answer says from when on clicks are kept', async () => {
  const brief = await aService({ RECORD_CLICKS: 'false', CLICK_RETENTION_MONTHS: '2' }, on.database);
  const now = new Date();
  const kept = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2)).toISOString();
  const from = new Date(Date.parse(kept) - 24 * 60 * 60_000).toISOString();
  expect((await analytics(brief, key, projectId, { from })).covered_from).toBe(kept);
  expect((await analytics(brief, key, projectId, { from: kept })).covered_from).toBe(kept);
  const past = await analytics(brief, key, projectId, { from, to: kept });
  expect(past.covered_from).toBe(past.to);
  await brief.stop();
});

const many = Array.from({ length: 21 }, (_, number) => `country=${number}`).join('&');
test.each([
  ['more values than are accepted', many, 'country'],
  ['a property that opens do not have', 'metric=opens&browser=Safari', 'browser'],
  ['robots among claims', 'metric=claims&bot=true', 'bot'],
  [
    'a compared period without length',
    'compare_from=2026-06-01T00:00:00Z&compare_to=2026-06-01T00:00:00Z',
    'compare_from',
  ],
])('%s: refused', async (_, query, field) => {
  const answer = await on.api('get', `/projects/${projectId}/analytics?${query}`, key);
  expect([
    answer.status,
    (answer.body as { error: { details: { path: string[] }[] } }).error.details[0]!.path[0],
  ]).toEqual([400, field]);
});

test('statistics of a link have no conditions on links', async () => {
  for (const query of ['tag=a', 'utm_source=a', `link_id=${linkId}`])
    await on.api('get', `/projects/${projectId}/links/${linkId}/analytics?${query}`, key).expect(400);
  await on.api('get', `/projects/${projectId}/links/${linkId}/analytics?country=AT&qr=false`, key).expect(200);
});

describe('a CSV', () => {
  let project: ProjectBody;
  let linkId: string;
  const query = { from: '2026-06-01T00:00:00Z', to: '2026-06-03T00:00:00Z', timezone: 'Europe/Berlin' };
  beforeAll(async () => {
    project = await aProject(on, key, { subdomain: unique('csv') });
    const link = { name: '=1+1', custom_path: 'formula', tags: ['=2+2'] };
    linkId = (await aDynamicLink(on, key, project.id, link)).id;
    const click = (time: string, fields = {}) =>
      aClick({ at: at(time), projectId: project.id, link: anOpenedLink({ id: linkId }), ...fields });
    await clicks.write([
      click('2026-06-01T10:00:00Z', { referrer: '@evil.example' }),
      click('2026-06-01T11:00:00Z'),
      click('2026-06-02T11:00:00Z'),
    ]);
  });

  async function csvOf(path: string, more: Record<string, string> = {}): Promise<(string | null)[][]> {
    const search = new URLSearchParams({ ...query, ...more, format: 'csv' }).toString();
    const response = await on.api('get', `/projects/${project.id}${path}/analytics?${search}`, key).expect(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="clicks-${project.subdomain}.csv"`,
    });
    expect(response.text.startsWith('\uFEFF')).toBe(true);
    return readCsv(response.text);
  }

  const written = (...cells: (string | number | null)[]) => cells.map((cell) => (cell === null ? null : String(cell)));

  test('without groups has a record per interval, as the series', async () => {
    const { series } = await analytics(on, key, project.id, query);
    const records = series.map(({ start, end, clicks, qr_scans }) => written(start, end, clicks, qr_scans));
    expect(records.length).toBeGreaterThan(1);
    for (const path of ['', `/links/${linkId}`])
      expect(await csvOf(path)).toEqual([['start', 'end', 'clicks', 'qr_scans'], ...records]);
  });

  test.each(['link', 'referrer', 'tag'] as const)(
    'by %s has a record per group, with all intervals',
    async (group_by) => {
      const { series, groups, other } = await analytics(on, key, project.id, { ...query, group_by });
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

  test('is the only other format', async () => {
    const response = await on.api('get', `/projects/${project.id}/analytics?format=xml`, key);
    expect(response).toBeRefusedWith('INVALID_INPUT');
  });
});
