/** @needs clickhouse */
import { newId } from '../../../src/shared/id';
import { clickHouseClicksOn } from '../recording/clickhouse-clicks';
import { aProject } from '../../support/builders';
import { ClickHouseServer } from '../../support/clickhouse-server';
import { aService, type TestService } from '../../support/service';
import { describeRecordedClicks } from './recorded-clicks.contract';

let server: ClickHouseServer;
let on: TestService;
let key: string;
let clicks: ReturnType<typeof clickHouseClicksOn>;
beforeAll(async () => {
  server = await ClickHouseServer.start();
  const { url } = await server.createDatabase();
  on = await aService({ RECORD_CLICKS: 'false', CLICKHOUSE_URL: url });
  key = (await on.anAccount('enterprise')).key;
  clicks = clickHouseClicksOn(url, on.database);
});
afterAll(async () => {
  await clicks.close();
  await on.stop();
  await server.remove();
});

describeRecordedClicks('ClickHouse', () => ({
  on,
  key,
  write: (batch) => clicks.repository.record(newId(), 1, batch),
}));

test('lists and exports are 503 while ClickHouse is down', async () => {
  const { id } = await aProject(on, key);
  await server.kill();
  for (const path of ['clicks', 'clicks/export']) await on.api('get', `/projects/${id}/${path}`, key).expect(503);
  await server.start();
  for (const path of ['clicks', 'clicks/export']) await on.api('get', `/projects/${id}/${path}`, key).expect(200);
});
