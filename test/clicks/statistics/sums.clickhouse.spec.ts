/** @needs clickhouse */
import type { Click, OpenedLink } from '../../../src/clicks/recording/click';
import { groupings } from '../../../src/clicks/statistics/statistics';
import { isUtm } from '../../../src/clicks/statistics/statistics-filter';
import { intervals } from '../../../src/clicks/statistics/statistics-window';
import { newId } from '../../../src/shared/id';
import { clickHouseClicksOn } from '../recording/clickhouse-clicks';
import { aClick, analytics, anOpenedLink, anyClick, batchOf, clicksOn } from '../recording/counting';
import { describeRecordedClicks } from '../single-clicks/recorded-clicks.contract';
import { aDynamicLink, aProject } from '../../support/builders';
import { ClickHouseServer } from '../../support/clickhouse-server';
import { fc, runs } from '../../support/properties';
import { scaled } from '../../support/scale';
import { aService, type TestService } from '../../support/service';

// The same clicks in both stores. Every answer of a service that reads PostgreSQL equals that of one that reads ClickHouse.

const quarter = 15 * 60_000;
const day = 24 * 60 * 60_000;
const begin = Date.parse('2026-09-20T00:00Z');
const end = Date.parse('2026-11-09T00:00Z');

let server: ClickHouseServer;
let inPostgres: TestService;
let inClickHouse: TestService;
let key: string;
let stores: { postgres: ReturnType<typeof clicksOn>; clickHouse: ReturnType<typeof clickHouseClicksOn> };

beforeAll(async () => {
  server = await ClickHouseServer.start();
  const { url } = await server.createDatabase();
  inPostgres = await aService({ RECORD_CLICKS: 'false' });
  inClickHouse = await aService({ RECORD_CLICKS: 'false', CLICKHOUSE_URL: url }, inPostgres.database);
  key = (await inPostgres.anAccount('enterprise')).key;
  stores = { postgres: clicksOn(inPostgres.database), clickHouse: clickHouseClicksOn(url, inPostgres.database) };
});
afterAll(async () => {
  await stores.postgres.close();
  await stores.clickHouse.close();
  await inClickHouse.stop();
  await inPostgres.stop();
  await server.remove();
});

async function write(clicks: Click[]): Promise<void> {
  for (let from = 0; from < clicks.length; from += 5000) {
    const batch = batchOf(clicks.slice(from, from + 5000));
    for (const { repository } of Object.values(stores)) await repository.record(newId(), 1, batch);
  }
}

async function aProjectWithLinks(count: number): Promise<{ projectId: string; links: string[] }> {
  const projectId = (await aProject(inPostgres, key)).id;
  const links: string[] = [];
  for (let made = 0; made < count; made++) {
    const fields = { tags: ['a', 'b'].slice(made % 3), referrer_params: { utm_source: `source ${made % 2}` } };
    links.push((await aDynamicLink(inPostgres, key, projectId, fields)).id);
  }
  return { projectId, links };
}

/** Asks both services and returns the answer. */
async function answers(projectId: string, query: Record<string, string | boolean>, linkId?: string) {
  const [one, other] = await Promise.all([
    analytics(inPostgres, key, projectId, query, linkId),
    analytics(inClickHouse, key, projectId, query, linkId),
  ]);
  expect(other).toEqual(one);
  return one;
}

test('answers about random clicks are equal, rolled up or not', async () => {
  const { projectId, links } = await aProjectWithLinks(4);
  const shortLinks: Partial<OpenedLink>[] = [
    {},
    { shortLinkId: newId(), shortLinkSource: 'dashboard' },
    { shortLinkId: newId(), shortLinkSource: 'api' },
  ];
  const opened = links.flatMap((id) => shortLinks.map((shortLink) => anOpenedLink({ id, ...shortLink })));
  const hosts = Array.from({ length: 60 }, (_, number) => `${number}.example`);
  const referred = fc.record({ referrer: fc.constantFrom(null, ...hosts), country: fc.constantFrom(null, 'DE', 'IN') });
  const anywhere = anyClick(projectId, opened, fc.integer({ min: begin, max: end - 1 }));
  const clicks = fc.sample(fc.tuple(anywhere, referred), 6000).map(([click, from]) => ({ ...click, ...from }));
  await write(clicks.slice(0, 3000));
  await stores.postgres.rollUpAll();
  await write(clicks.slice(3000));

  const asked = fc.record({
    begin: fc.integer({ min: begin / quarter - 100, max: end / quarter }),
    // Whole days as often as any other time: PostgreSQL sums them in another way.
    step: fc.constantFrom(quarter, day),
    length: fc.integer({ min: 1, max: 3000 }),
    interval: fc.constantFrom(...intervals),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York'),
    groupBy: fc.constantFrom(undefined, ...groupings),
    bots: fc.boolean(),
    linkId: fc.constantFrom(undefined, links[0]),
    filter: fc.constantFrom<Record<string, string>>(
      ...Array.from({ length: 4 }, () => ({})),
      { platform: 'ios' },
      { platform: 'ios', country: 'DE', qr: 'true' },
      { country: '', browser: 'Safari', bot: 'true' },
      { referrer: '3.example', platform: 'android' },
      { referrer: '', qr: 'false' },
      { source: '', country: 'IN' },
    ),
    ofLinks: fc.constantFrom<Record<string, string>>(
      {},
      { tag: 'a' },
      { utm_source: 'source 1' },
      { link_id: links[1]!, tag: 'B' },
    ),
  });
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(
      asked,
      async ({ begin, step, length, interval, timezone, groupBy, bots, linkId, filter, ofLinks }) => {
        const from = Math.floor((begin * quarter) / step) * step;
        const to = from + Math.max(1, Math.floor((length * quarter) / step)) * step;
        const { totals } = await answers(
          projectId,
          {
            from: new Date(from).toISOString(),
            to: new Date(to).toISOString(),
            interval,
            timezone,
            include_bots: bots,
            ...filter,
            // Statistics of a link have neither groups by tag nor conditions on links.
            ...(!linkId && ofLinks),
            ...(groupBy && !((groupBy === 'tag' || isUtm(groupBy)) && linkId) && { group_by: groupBy }),
          },
          linkId,
        );
        counted += totals.clicks;
      },
    ),
    runs(300),
  );
  expect(counted).toBeGreaterThan(scaled(1000));
});

const wholePeriod = { from: new Date(begin).toISOString(), to: new Date(end).toISOString(), interval: 'day' };

test('a project with more groups than are listed has the same first ones and the same others', async () => {
  const { projectId } = await aProjectWithLinks(0);
  const links = Array.from({ length: 130 }, () => anOpenedLink());
  await write(
    links.flatMap((link, number) =>
      Array.from({ length: 1 + (number % 7) }, (_, click) => {
        const client = { platform: 'ios', browser: null, robot: click === 6 };
        return aClick({ at: begin + number * day * 0.3 + click, projectId, link, client, qr: click === 5 });
      }),
    ),
  );
  // ClickHouse reads sums of groups before their parts if there are many parts, or if days do not begin at an hour of UTC.
  const month = { from: '2026-09-20T00:00:00Z', to: '2026-10-20T10:20:00Z' };
  const windows = [
    wholePeriod,
    { ...wholePeriod, timezone: 'Asia/Kolkata' },
    { ...month, interval: 'hour' },
    { ...month, interval: 'hour', timezone: 'Asia/Kathmandu', include_bots: true },
  ];
  for (const window of windows) {
    const { groups, other, totals } = await answers(projectId, { ...window, group_by: 'link' });
    const listed = groups!.reduce((sum, { clicks }) => sum + clicks, 0);
    expect(listed + other!.clicks).toBe(totals.clicks);
    expect([groups!.length, other!.groups]).toEqual([100, window.interval === 'hour' ? 2 : 30]);
  }
});

test('referring hosts beyond the limit of a month count for the others, and those of its first days do not', async () => {
  const { projectId, links } = await aProjectWithLinks(1);
  const link = anOpenedLink({ id: links[0]! });
  // A month has names for 500 hosts of a link. Each day has 90 new ones.
  for (let date = 1; date <= 7; date++) {
    const at = Date.parse(`2026-10-0${date}T12:00Z`);
    await write(
      Array.from({ length: 90 }, (_, host) =>
        Array.from({ length: 1 + host }, (_, click) =>
          aClick({ at: at + click, projectId, link, referrer: `${date}-${host}.example` }),
        ),
      ).flat(),
    );
    await stores.postgres.rollUpAll();
  }
  const windows: Record<string, string>[] = [
    {},
    { from: '2026-10-06T06:00:00Z' },
    { timezone: 'Asia/Kolkata', interval: 'hour', to: '2026-10-10T00:00:00Z' },
  ];
  const byReferrer = { ...wholePeriod, group_by: 'referrer' };
  for (const query of windows)
    await answers(projectId, { ...byReferrer, from: '2026-09-20T00:00:00Z', ...query }, links[0]);
  const twoDays = { from: '2026-10-06T00:00:00Z', to: '2026-10-08T00:00:00Z' };
  const { other } = await answers(projectId, { ...byReferrer, ...twoDays }, links[0]);
  // 50 hosts of the sixth day have names, and none of the seventh.
  expect(other!.groups).toBe(0);
});

describeRecordedClicks('ClickHouse', () => ({
  on: inClickHouse,
  key,
  write: (batch) => stores.clickHouse.repository.record(newId(), 1, batch),
}));

test('answers are 503 within five seconds while ClickHouse is down, and the rest of the API continues', async () => {
  const { projectId } = await aProjectWithLinks(0);
  const expectEach = async (status: number) => {
    for (const path of ['analytics', 'clicks', 'clicks/export'])
      await inClickHouse.api('get', `/projects/${projectId}/${path}`, key).expect(status);
  };
  await server.kill();
  await expectEach(503);
  await inClickHouse.api('get', `/projects/${projectId}`, key).expect(200);
  await server.start();
  await expectEach(200);
});
