/** @needs clickhouse */
import { setTimeout as sleep } from 'node:timers/promises';
import { clicksInEachTable } from '../clicks/recording/clickhouse-clicks';
import { type ClickHouseDatabase, ClickHouseServer } from '../support/clickhouse-server';
import { eventually } from '../support/eventually';
import type { Program } from '../support/process';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { scaled } from '../support/scale';
import { useInstallation } from './installation';

beforeAll(useProductionTimeLimitsInPrograms);

// Processes and ClickHouse are killed at any time. A click counts at most once, in all tables, and is lost only with its process.

let server: ClickHouseServer;
let store: ClickHouseDatabase;
beforeAll(async () => {
  server = await ClickHouseServer.start();
  store = await server.createDatabase();
});
afterAll(() => server.remove());
const on = useInstallation('campaign', { environment: () => ({ CLICKHOUSE_URL: store.url }) });
beforeAll(async () => {
  await on.createLink('one');
  await on.service.stop();
});

const counts = async () => (await store.rows<Record<string, number>>(clicksInEachTable))[0]!;

/** Returns the number of clicks, which all tables agree on. */
async function stored(): Promise<number> {
  const { stored, ...sums } = await counts();
  expect(sums).toEqual({ of_links: stored, of_projects: stored, of_groupings: stored });
  return stored!;
}

const visit = async (program: Program) => {
  const { status } = await program.visit('campaign', '/one');
  expect(status).toBe(302);
};

const clicksBy = async (program: Program): Promise<number> => {
  const query = `from=${new Date(Date.now() - 86_400_000).toISOString()}&include_bots=true`;
  const { json } = await program.ask(`${on.project}/analytics?${query}`, { key: on.key });
  return (json.data?.['totals'] as { clicks: number } | undefined)?.clicks ?? -1;
};

test('visits continue while ClickHouse is killed again and again, and each counts once', async () => {
  const before = await stored();
  const program = await on.replica();
  let visits = 0;
  for (let round = 0; round < scaled(15); round++) {
    for (let count = 0; count < 40; count++, visits++) await visit(program);
    // In the middle of a write, which begins half a second after a visit, or before it, or after it.
    await sleep(400 + (round % 10) * 25);
    await server.kill();
    for (let count = 0; count < 5; count++, visits++) await visit(program);
    await server.start();
  }
  await eventually(async () => (await clicksBy(program)) === before + visits);
  expect(await stored()).toBe(before + visits);
  await program.stop();
});

test('a service that is killed loses the clicks of its last second, and doubles none', async () => {
  const before = await stored();
  let written = 0;
  let visits = 0;
  for (let round = 0; round < scaled(10); round++) {
    const program = await on.replica();
    for (let count = 0; count < 20; count++, visits++) await visit(program);
    await eventually(async () => (await counts())['stored'] === before + written + 20);
    written += 20;
    for (let count = 0; count < 20; count++, visits++) await visit(program);
    await sleep(450 + (round % 10) * 20);
    await program.kill();
    // ClickHouse ends an insert that it has received, without the service. Statements run in turn, so the next one sees it.
    await server.closedConnectionsRead();
    written = (await stored()) - before;
  }
  expect(written).toBeGreaterThanOrEqual(visits / 2);
  expect(written).toBeLessThanOrEqual(visits);
});

test('a service that starts while ClickHouse is down answers links, and creates the tables later', async () => {
  const another = await server.createDatabase();
  await server.kill();
  const program = await on.replica({ CLICKHOUSE_URL: another.url });
  await visit(program);
  const ready = await program.ask('/health/ready');
  expect(ready.status).toBe(200);
  expect(ready.json.data['checks']).toMatchObject({ database: 'up', clickhouse: 'down' });
  expect(await clicksBy(program)).toBe(-1);
  await server.start();
  await eventually(async () => (await clicksBy(program)) === 1);
  await eventually(async () => {
    const { json } = await program.ask('/health/ready');
    return (json.data['checks'] as { clickhouse: string }).clickhouse === 'up';
  });
  await program.stop();
});

test('answers are 503 within five seconds while ClickHouse is frozen, and links are answered', async () => {
  const program = await on.replica();
  program.startSteadyClock();
  await visit(program);
  server.freeze();
  const [statistics, ready] = await Promise.all([
    program.ask(`${on.project}/analytics`, { key: on.key }),
    program.ask('/health/ready'),
  ]);
  expect([statistics.status, statistics.json.error?.code]).toEqual([503, 'DATABASE_ERROR']);
  expect(statistics.tookSteady).toBeLessThan(5000);
  expect(ready.json.data['checks']).toMatchObject({ clickhouse: 'down' });
  await visit(program);
  server.thaw();
  await eventually(async () => (await clicksBy(program)) > 0);
  await program.stop();
});
