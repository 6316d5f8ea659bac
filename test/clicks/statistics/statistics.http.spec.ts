import type { Click } from '../../../src/clicks/recording/click';
import type { Problem } from '../../../src/shared/problem';
import { aDynamicLink, aProject, aShortLink, unique, unknownId } from '../../support/builders';
import { readCsv } from '../../support/csv';
import { accountFixture, aServiceOfTest, fixtureOfEach, serviceFixture } from '../../support/fixtures';
import { problem } from '../../support/problem';
import { aClick, type Analytics, analytics, anOpenedLink, clicksFixture, type Query } from '../recording/counting';

const on = serviceFixture();
const account = accountFixture(on);
const clicks = clicksFixture(on);
const project = fixtureOfEach(() => aProject(on, account.key, { subdomain: unique('s') }));
let linkId: string;
beforeEach(async () => (linkId = (await aDynamicLink(on, account.key, project.id)).id));

const ask = (query: Query = {}, ofLink?: string): Promise<Analytics> =>
  analytics(on, account.key, project.id, query, ofLink);

const at = (moment: string, fields: Partial<Click> = {}): Click =>
  aClick({ at: Date.parse(moment), projectId: project.id, link: anOpenedLink({ id: linkId }), ...fields });

const unnamed = { name: null, path: null };
const oneDay = { from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' };
const twoDays = { ...oneDay, to: '2026-06-03T00:00:00Z' };

test('returns a zero-filled series for a project without clicks', async () => {
  expect(await ask(twoDays)).toEqual({
    from: '2026-06-01T00:00:00.000Z',
    to: '2026-06-03T00:00:00.000Z',
    covered_from: '2026-06-01T00:00:00.000Z',
    interval: 'day',
    timezone: 'UTC',
    include_bots: false,
    group_by: null,
    totals: { clicks: 0, qr_scans: 0, bots: 0 },
    series: [
      { start: '2026-06-01T00:00:00.000Z', end: '2026-06-02T00:00:00.000Z', clicks: 0, qr_scans: 0 },
      { start: '2026-06-02T00:00:00.000Z', end: '2026-06-03T00:00:00.000Z', clicks: 0, qr_scans: 0 },
    ],
    groups: null,
    other: null,
    compared: null,
  });
  const grouped = await ask({ ...twoDays, group_by: 'country' });
  expect([grouped.groups, grouped.other]).toEqual([[], { groups: 0, clicks: 0, qr_scans: 0 }]);
});

test('by default: thirty days until now, by day, in UTC', async () => {
  const day = 24 * 60 * 60_000;
  const now = Date.now();
  await clicks.write([at(new Date(now - 1000).toISOString()), at(new Date(now - 29 * day).toISOString())]);
  const { from, to, series, totals } = await ask();
  const after = Date.now();
  expect(series).toHaveLength(31);
  const starts = [now, after].map((end) => new Date(end - 30 * day).toISOString().replace(/T.*/, 'T00:00:00.000Z'));
  expect(starts).toContain(from);
  expect(Date.parse(to) - now).toBeGreaterThanOrEqual(0);
  expect(Date.parse(to) - after).toBeLessThanOrEqual(15 * 60_000);
  expect(totals.clicks).toBe(2);
});

describe.each([['as written'], ['rolled up']])('%s', (state) => {
  const written = async (...all: Click[]) => {
    await clicks.write(all);
    if (state === 'rolled up') await clicks.rollUpAll();
  };

  test('groups come with the most clicked first, equal ones by name, and what has none by null', async () => {
    const from = (country: string | null, times: number) =>
      Array.from({ length: times }, () => at('2026-06-01T10:00:00Z', { country }));
    await written(...from('DE', 2), ...from(null, 3), ...from('FR', 1), ...from('AT', 2));
    const { groups, other } = await ask({ ...twoDays, group_by: 'country' });
    expect(groups).toEqual([
      { value: null, ...unnamed, clicks: 3, qr_scans: 0, series: [3, 0] },
      { value: 'AT', ...unnamed, clicks: 2, qr_scans: 0, series: [2, 0] },
      { value: 'DE', ...unnamed, clicks: 2, qr_scans: 0, series: [2, 0] },
      { value: 'FR', ...unnamed, clicks: 1, qr_scans: 0, series: [1, 0] },
    ]);
    expect(other).toEqual({ groups: 0, clicks: 0, qr_scans: 0 });
  });

  test('groups by tag overlap, and follow the tags that links have now', async () => {
    const link = async (tags: string[]) => (await aDynamicLink(on, account.key, project.id, { tags })).id;
    const on1 = (id: string, times: number, fields: Partial<Click> = {}) =>
      Array.from({ length: times }, () => at('2026-06-01T10:00:00Z', { link: anOpenedLink({ id }), ...fields }));
    const [both, one, gone] = [await link(['Mail', 'Sale']), await link(['Sale']), await link(['Mail'])];
    await written(...on1(both, 3, { qr: true }), ...on1(one, 2), ...on1(gone, 4), ...on1(linkId, 1));
    await on.api('delete', `/projects/${project.id}/links/${gone}`, account.key).expect(200);
    const query = { ...twoDays, group_by: 'tag' };
    const { body } = await on.api('get', `/projects/${project.id}/tags?sortBy=name&sortOrder=asc`, account.key);
    const [mail, sale] = body.data as { id: string; name: string }[];
    const { totals, groups, other } = await ask(query);
    expect(totals).toEqual({ clicks: 10, qr_scans: 3, bots: 0 });
    expect(groups).toHaveLength(3);
    expect(groups).toEqual(
      expect.arrayContaining([
        { value: sale!.id, name: 'Sale', path: null, clicks: 5, qr_scans: 3, series: [5, 0] },
        { value: null, ...unnamed, clicks: 5, qr_scans: 0, series: [5, 0] },
        { value: mail!.id, name: 'Mail', path: null, clicks: 3, qr_scans: 3, series: [3, 0] },
      ]),
    );
    expect(other).toEqual({ groups: 0, clicks: 0, qr_scans: 0 });
    const merge = `/projects/${project.id}/tags/${mail!.id}/merge`;
    await on.api('post', merge, account.key).send({ into: sale!.id }).expect(200);
    const merged = await ask(query);
    expect(merged.groups!.map(({ name, clicks }) => [name, clicks])).toEqual(
      expect.arrayContaining([
        ['Sale', 5],
        [null, 5],
      ]),
    );
  });

  test('returns tags beyond the hundredth as a sum', async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async (_, number) => {
        const tags = Array.from({ length: 20 }, (_, tag) => `tag ${number} ${tag}`);
        return (await aDynamicLink(on, account.key, project.id, { tags })).id;
      }),
    );
    await written(...ids.map((id) => at('2026-06-01T10:00:00Z', { link: anOpenedLink({ id }) })));
    const query = { ...oneDay, group_by: 'tag' };
    const { totals, groups, other } = await ask(query);
    expect([totals.clicks, groups!.length]).toEqual([6, 100]);
    expect(other).toEqual({ groups: 20, clicks: 20, qr_scans: 0 });
  });

  test('returns groups beyond the hundredth as a sum', async () => {
    await written(
      ...Array.from({ length: 130 }, (_, number) =>
        Array.from({ length: number < 100 ? 2 : 1 }, () =>
          at('2026-06-01T10:00:00Z', { referrer: `host-${number}.example`, qr: number >= 95 }),
        ),
      ).flat(),
    );
    const query = { ...oneDay, group_by: 'referrer' };
    for (const timezone of ['UTC', 'Asia/Kathmandu']) {
      const { totals, groups, other } = await ask({ ...query, timezone });
      expect(totals).toEqual({ clicks: 230, qr_scans: 40, bots: 0 });
      expect(groups).toHaveLength(100);
      expect(groups!.every(({ clicks }) => clicks === 2)).toBe(true);
      expect(other).toEqual({ groups: 30, clicks: 30, qr_scans: 30 });
    }
  });

  test('groups of links and short links have their current names, except deleted ones', async () => {
    const link = { name: 'Poster', custom_path: 'poster' };
    const { id } = await aDynamicLink(on, account.key, project.id, link);
    const short = await aShortLink(on, account.key, project.id, id, { slug: 'p0ster' });
    const gone = await aDynamicLink(on, account.key, project.id);
    const goneShort = await aShortLink(on, account.key, project.id, gone.id);
    const click = (linkId: string, shortLinkId: string) =>
      at('2026-06-01T10:00:00Z', { link: anOpenedLink({ id: linkId, shortLinkId, shortLinkSource: 'api' }) });
    await written(click(id, short.id), click(id, short.id), click(gone.id, goneShort.id));
    await on.api('delete', `/projects/${project.id}/links/${gone.id}`, account.key).expect(200);
    await on.api('put', `/projects/${project.id}/links/${id}`, account.key).send({ name: 'Renamed' }).expect(200);
    const named = async (groupBy: string, ofLink?: string) =>
      (await ask({ ...oneDay, group_by: groupBy }, ofLink)).groups!.map(({ value, name, path }) => [value, name, path]);
    expect(await named('link')).toEqual([
      [id, 'Renamed', 'poster'],
      [gone.id, null, null],
    ]);
    expect(await named('link', id)).toEqual([[id, 'Renamed', 'poster']]);
    expect(await named('short_link')).toEqual([
      [short.id, 'Renamed', 'p0ster'],
      [goneShort.id, null, null],
    ]);
    expect(await named('platform')).toEqual([['desktop', null, null]]);
  });
});

describe('a query', () => {
  const bad: [name: string, code: Problem['code'], ...values: string[]][] = [
    ['from', 'invalid_format', '2026-02-31T00:00:00Z', '2026-06-01T24:00:00Z', '2026-06-01T00:00:00 02:00'],
    ['from', 'too_small', '1999-12-31T23:59:59Z', '1970-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['to', 'too_big', '2100-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
    ['from', 'too_big', '2099-01-01T00:00:00Z'],
    ['to', 'invalid_format', 'now', '2026-06-01T00:00:60Z', '2026-06-01T00:00:00+25:00'],
    ['timezone', 'invalid_format', 'Mars/Olympus', '+01:00', '', 'Europe/Berlin;DROP', 'a'.repeat(5000)],
  ];
  test.each(bad.flatMap(([name, code, ...values]) => values.map((value) => [name, value, code] as const)))(
    '%s=%j is refused: %s',
    async (name, value, code) => {
      for (const path of [`/projects/${project.id}/analytics`, `/projects/${project.id}/links/${linkId}/analytics`])
        expect(await on.api('get', path, account.key).query({ [name]: value })).toBeRefusedWith('INVALID_INPUT', [
          problem(code, name),
        ]);
    },
  );

  test('is looked at before the link in the path', async () => {
    const path = (id: string, link: string) => `/projects/${id}/links/${link}/analytics`;
    for (const link of [unknownId, 'x']) {
      expect(await on.api('get', path(project.id, link), account.key)).toBeRefusedWith('NOT_FOUND');
      for (const query of ['?timezone=x', '?from=2099-01-01T00:00:00Z', '?x=1'])
        expect(await on.api('get', path(project.id, link) + query, account.key)).toBeRefusedWith('INVALID_INPUT');
    }
  });

  test('may spell moments with any offset, and a range to come is empty', async () => {
    const query = { from: '2026-06-01T02:00:00+02:00', to: '2026-05-31T20:00:00.5-05:00', interval: 'hour' };
    expect(await ask(query)).toMatchObject({ from: '2026-06-01T00:00:00.000Z', to: '2026-06-01T01:15:00.000Z' });
    const toCome = await ask({ from: '2098-06-01T00:00:00Z', to: '2098-06-02T00:00:00Z', interval: 'hour' });
    expect(toCome.series).toHaveLength(24);
  });
});

test('is open to every plan', async () => {
  const free = await on.anAccount('free');
  const own = await aProject(on, free.key);
  expect((await analytics(on, free.key, own.id)).totals.clicks).toBe(0);
});

describe('opens and claims', () => {
  let count = 0;
  const record = async (
    event: string,
    moment: string,
    platform: string,
    version: string,
    country: string,
    times = 1,
  ) => {
    for (let time = 0; time < times; time++)
      await on.database.query(
        `SELECT record_app_events(ARRAY[sha256($1::bytea)], ARRAY[$2], ARRAY[$3::uuid], ARRAY[$4::uuid], ARRAY[$5::timestamptz],
                                  ARRAY[$6], ARRAY[$7], ARRAY[$8], ARRAY[''], ARRAY[''], ARRAY[1])`,
        [`event ${++count}`, event, project.id, linkId, moment, platform, version, country],
      );
  };
  beforeEach(async () => {
    await record('open', '2026-05-31T23:59:59Z', 'ios', '1.0', 'DE');
    await record('open', '2026-06-01T00:00:00Z', 'ios', '1.0', 'DE', 2);
    await record('open', '2026-06-02T23:59:59Z', 'android', '2.0', '');
    await record('open', '2026-06-02T12:00:00Z', 'android', '*', 'FR');
    await record('claim', '2026-06-02T12:00:00Z', 'ios', '', 'DE');
  });
  const group = (value: string | null, series: number[]) => {
    const clicks = series[0]! + series[1]!;
    return { value, ...unnamed, clicks, qr_scans: 0, series };
  };
  const none = { groups: 0, clicks: 0, qr_scans: 0 };

  test.each([
    ['opens', 4, [2, 2]],
    ['claims', 1, [0, 1]],
    ['clicks', 0, [0, 0]],
  ])('%s are counted apart, of the project and of the link', async (metric, clicks, series) => {
    for (const ofLink of [undefined, linkId]) {
      const answer = await ask({ ...twoDays, metric }, ofLink);
      expect(answer.totals).toEqual({ clicks, qr_scans: 0, bots: 0 });
      expect(answer.series.map((part) => part.clicks)).toEqual(series);
      expect([answer.groups, answer.other]).toEqual([null, null]);
    }
    const other = await aDynamicLink(on, account.key, project.id);
    expect((await ask({ ...twoDays, metric }, other.id)).totals.clicks).toBe(0);
  });

  test.each([
    ['opens', 'platform', [group('android', [0, 2]), group('ios', [2, 0])], none],
    ['opens', 'version', [group('1.0', [2, 0]), group('2.0', [0, 1])], { ...none, clicks: 1 }],
    ['opens', 'country', [group('DE', [2, 0]), group(null, [0, 1]), group('FR', [0, 1])], none],
    ['claims', 'platform', [group('ios', [0, 1])], none],
    ['claims', 'version', [group(null, [0, 1])], none],
  ])('%s by %s', async (metric, groupBy, groups, other) => {
    for (const ofLink of [undefined, linkId]) {
      const answer = await ask({ ...twoDays, metric, group_by: groupBy }, ofLink);
      expect([answer.groups, answer.other]).toEqual([groups, other]);
    }
  });

  test('opens by link have the name of the link', async () => {
    for (const ofLink of [undefined, linkId]) {
      const { groups } = await ask({ ...twoDays, metric: 'opens', group_by: 'link' }, ofLink);
      expect(groups).toEqual([{ ...group(linkId, [2, 2]), name: 'A link', path: expect.any(String) }]);
    }
  });

  test('the CSV names the metric', async () => {
    const path = `/projects/${project.id}/analytics?from=${twoDays.from}&to=${twoDays.to}&metric=opens&format=csv`;
    const { text, headers } = await on.api('get', path, account.key).expect(200);
    expect(text.slice(1).split('\r\n').slice(0, 2)).toEqual([
      'start,end,opens,qr_scans',
      '2026-06-01T00:00:00.000Z,2026-06-02T00:00:00.000Z,2,0',
    ]);
    expect(headers['content-disposition']).toContain(`opens-${project.subdomain}.csv`);
  });
});

describe('a compared period', () => {
  const period = { from: '2026-06-10T00:00:00Z', to: '2026-06-12T00:00:00Z' };
  beforeEach(async () => {
    const times = ['2026-06-01T12:00Z', '2026-06-02T12:00Z', '2026-06-02T13:00Z', '2026-06-11T12:00Z'];
    await clicks.write(times.map((time) => at(time, { country: 'AT' })));
  });

  test('is counted with the same conditions, by default for as long', async () => {
    const query = { ...period, country: 'AT', compare_from: '2026-06-01T00:00:00Z' };
    const { totals, compared } = await ask(query);
    expect(totals.clicks).toBe(1);
    expect([compared!.from, compared!.to]).toEqual(['2026-06-01T00:00:00.000Z', '2026-06-03T00:00:00.000Z']);
    expect(compared!.totals.clicks).toBe(3);
    expect(compared!.series.map((part) => part.clicks)).toEqual([1, 2]);
    const other = await ask({ ...query, country: 'DE', compare_to: '2026-06-02T00:00:00Z' });
    expect([other.totals.clicks, other.compared!.totals.clicks, other.compared!.series.length]).toEqual([0, 0, 1]);
  });

  test('is beside the other in a CSV', async () => {
    const query = { ...period, compare_from: oneDay.from, compare_to: oneDay.to, format: 'csv' };
    const { text } = await on.api('get', `/projects/${project.id}/analytics`, account.key).query(query);
    expect(text.replace('\ufeff', '').trim().split('\r\n')).toEqual([
      'start,end,clicks,qr_scans,compared_start,compared_clicks',
      '2026-06-10T00:00:00.000Z,2026-06-11T00:00:00.000Z,0,0,2026-06-01T00:00:00.000Z,1',
      '2026-06-11T00:00:00.000Z,2026-06-12T00:00:00.000Z,1,0,,',
    ]);
  });
});

test('the answer says from when on clicks are kept', async () => {
  const brief = await aServiceOfTest({ RECORD_CLICKS: 'false', CLICK_RETENTION_MONTHS: '2' }, on.database);
  const now = new Date();
  const kept = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2)).toISOString();
  const from = new Date(Date.parse(kept) - 24 * 60 * 60_000).toISOString();
  expect((await analytics(brief, account.key, project.id, { from })).covered_from).toBe(kept);
  expect((await analytics(brief, account.key, project.id, { from: kept })).covered_from).toBe(kept);
  const past = await analytics(brief, account.key, project.id, { from, to: kept });
  expect(past.covered_from).toBe(past.to);
});

const many = Array.from({ length: 21 }, (_, number) => `country=${number}`).join('&');
test.each([
  ['more values than are accepted', many, 'country'],
  ['a property that opens do not have', 'metric=opens&browser=Safari', 'browser'],
  ['robots among claims', 'metric=claims&bot=true', 'bot'],
  ['versions of clicks', 'metric=clicks&group_by=version', 'group_by'],
  ['browsers of opens', 'metric=opens&group_by=browser', 'group_by'],
  ['tags of claims', 'metric=claims&group_by=tag', 'group_by'],
  ['an end before its beginning', 'from=2026-06-02T00:00:00Z&to=2026-06-01T00:00:00Z', 'from'],
  ['a compared period without length', `compare_from=${oneDay.from}&compare_to=${oneDay.from}`, 'compare_from'],
])('%s: refused', async (_, query, field) => {
  const answer = await on.api('get', `/projects/${project.id}/analytics?${query}`, account.key);
  expect([answer.status, answer.body.error.details[0].path[0]]).toEqual([400, field]);
});

test('statistics of a link have no conditions on links', async () => {
  for (const query of ['tag=a', 'utm_source=a', `link_id=${linkId}`])
    await on.api('get', `/projects/${project.id}/links/${linkId}/analytics?${query}`, account.key).expect(400);
  await on.api('get', `/projects/${project.id}/links/${linkId}/analytics?country=AT&qr=false`, account.key).expect(200);
});

describe('a CSV', () => {
  const query = { ...twoDays, timezone: 'Europe/Berlin' };
  beforeEach(async () => {
    const link = { name: '=1+1', custom_path: 'formula', tags: ['=2+2'] };
    linkId = (await aDynamicLink(on, account.key, project.id, link)).id;
    const referrer = '@evil.example';
    await clicks.write([at('2026-06-01T10:00Z', { referrer }), at('2026-06-01T11:00Z'), at('2026-06-02T11:00Z')]);
  });

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

  test('without groups has a record per interval, as the series', async () => {
    const { series } = await ask(query);
    const records = series.map(({ start, end, clicks, qr_scans }) => written(start, end, clicks, qr_scans));
    expect(records.length).toBeGreaterThan(1);
    for (const path of ['', `/links/${linkId}`])
      expect(await csvOf(path)).toEqual([['start', 'end', 'clicks', 'qr_scans'], ...records]);
  });

  test.each(['link', 'referrer', 'tag'] as const)(
    'by %s has a record per group, with all intervals',
    async (group_by) => {
      const { series, groups, other } = await ask({ ...query, group_by });
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
});
