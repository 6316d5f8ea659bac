/** @needs clickhouse */
import { type ClickHouseDatabase, ClickHouseServer } from '../support/clickhouse-server';
import { eventually } from '../support/eventually';
import { endAllPrograms } from '../support/process';
import { TwoRegions } from '../support/region';

// A primary and its region write clicks to one ClickHouse (docs/operating/regions.md).

let server: ClickHouseServer;
let store: ClickHouseDatabase;
let on: TwoRegions;
beforeAll(async () => {
  server = await ClickHouseServer.start();
  store = await server.createDatabase();
  on = await TwoRegions.start({}, { home: { CLICKHOUSE_URL: store.url } });
});
afterAll(async () => {
  await endAllPrograms();
  await on.remove();
  await server.remove();
});

test('clicks of both are counted together, with their times, and the region stores none', async () => {
  const project = `/projects/${(await on.api('POST', '/projects', { name: 'Shop', subdomain: 'shop' })).id}`;
  await on.api('POST', `${project}/links`, { name: 'A', custom_path: 'a', desktop_url: 'https://example.com/' });
  await on.add();
  const region = await on.serve({ CLICKHOUSE_URL: store.url });
  const from = new Date().toISOString();
  for (const [service, visits] of [[on.home, 3] as const, [region, 4] as const])
    for (let visit = 0; visit < visits; visit++)
      expect((await service.ask('/a', { headers: { Host: 'shop.localhost' } })).status).toBe(302);
  await eventually(async () => {
    const path = `/api/v1${project}/analytics?include_bots=true`;
    const { status, json } = await on.home.ask(path, { key: on.key });
    // A store that is busy with other work may answer too late.
    return status === 200 && (json.data as { totals: { clicks: number } }).totals.clicks === 7;
  });
  const clicks = (await on.api('GET', `${project}/clicks?include_bots=true`)) as unknown as { clicked_at: string }[];
  expect(clicks).toHaveLength(7);
  for (const { clicked_at } of clicks) expect(clicked_at >= from).toBe(true);
  expect(await on.region.query('SELECT FROM clicks')).toEqual([]);
});
