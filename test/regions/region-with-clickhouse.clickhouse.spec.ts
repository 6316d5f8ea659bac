/** @needs clickhouse */
import { newId } from '../../src/shared/id';
import { type ClickHouseDatabase, ClickHouseServer } from '../support/clickhouse-server';
import { eventually } from '../support/eventually';
import { endAllPrograms } from '../support/process';
import { TwoRegions } from '../support/region';

// A primary and its region write clicks to one ClickHouse (docs/operating/regions.md).

interface Totals {
  totals: { clicks: number };
}

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
    return status === 200 && (json.data as unknown as Totals).totals.clicks === 7;
  });
  const clicks = (await on.api('GET', `${project}/clicks?include_bots=true`)) as unknown as { clicked_at: string }[];
  expect(clicks).toHaveLength(7);
  for (const { clicked_at } of clicks) expect(clicked_at >= from).toBe(true);
  expect(await on.region.query('SELECT FROM clicks')).toEqual([]);

  // Opens stay in PostgreSQL, and the region delivers them.
  for (const service of [on.home, region, region]) {
    const body = {
      url: 'https://shop.localhost/a',
      app: { package_name: 'com.example.shop', version: '1.0' },
      open_id: newId(),
    };
    expect(
      (await service.ask('/links/open', { method: 'POST', headers: { Host: 'shop.localhost' }, body })).status,
    ).toBe(200);
  }
  await eventually(async () => {
    const { totals } = (await on.api('GET', `${project}/analytics?metric=opens`)) as unknown as Totals;
    return totals.clicks === 3;
  });
  const { totals } = (await on.api('GET', `${project}/analytics?include_bots=true`)) as unknown as Totals;
  expect(totals.clicks).toBe(7);
});
