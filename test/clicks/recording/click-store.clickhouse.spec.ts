/** @needs clickhouse */
import type { OpenedLink } from '../../../src/clicks/recording/click';
import { migrateClickHouse } from '../../../src/clicks/recording/clickhouse-migrations';
import { clickHouseMigrations, clickTables } from '../../../src/clicks/recording/clickhouse-schema';
import { aDynamicLink, aProject } from '../../support/builders';
import { type ClickHouseDatabase, ClickHouseServer } from '../../support/clickhouse-server';
import { eventually } from '../../support/eventually';
import { run } from '../../support/process';
import { aService, type TestService } from '../../support/service';
import { describeClickStore } from './click-store.contract';
import { clickHouseClicksOn, clicksInEachTable, longRetentionMonths } from './clickhouse-clicks';
import { aClick, anOpenedLink } from './counting';

let server: ClickHouseServer;
let store: ClickHouseDatabase;
let on: TestService;
let key: string;
let projectId: string;
let link: OpenedLink;
let clicks: ReturnType<typeof clickHouseClicksOn>;
beforeAll(async () => {
  server = await ClickHouseServer.start();
  store = await server.createDatabase();
  on = await aService({ CLICKHOUSE_URL: store.url });
  ({ key } = await on.anAccount('enterprise'));
  projectId = (await aProject(on, key)).id;
  link = anOpenedLink({ id: (await aDynamicLink(on, key, projectId)).id });
  clicks = clickHouseClicksOn(store.url, on.database);
});
afterAll(async () => {
  await clicks.close();
  await on.stop();
  await server.remove();
});

const counts = async () => (await store.rows<Record<string, number>>(clicksInEachTable))[0]!;

describeClickStore('ClickHouse', () => ({
  port: clicks.repository,
  projectId,
  link,
  written: async () => {
    const { stored, of_links, of_projects, of_groupings } = await counts();
    expect([of_links, of_projects, of_groupings]).toEqual([stored, stored, stored]);
    return stored!;
  },
}));

test('clicks of a deleted project are removed, also those that are written later', async () => {
  const doomed = await aProject(on, key);
  const inProject = async () => {
    const [row] = await store.rows<{ count: number }>(
      `SELECT toUInt32((SELECT count() FROM clicks WHERE project_id = '${doomed.id}')
         + (SELECT count() FROM link_clicks_by_quarter WHERE project_id = '${doomed.id}')
         + (SELECT count() FROM project_clicks_by_quarter WHERE project_id = '${doomed.id}')) AS count`,
    );
    return row!.count;
  };
  const write = () => clicks.write([aClick({ at: Date.now(), projectId: doomed.id, link })]);
  const purge = () => clicks.repository.purgeSome(100);
  const listed = async () => (await on.database.query('SELECT FROM clickhouse_purges')).length;
  const later = (interval: string) =>
    on.database.query('UPDATE clickhouse_purges SET checked_at = now() - $1::interval', [interval]);

  const before = (await counts())['stored']!;
  await write();
  expect(await inProject()).toBeGreaterThan(0);
  await on.api('delete', `/projects/${doomed.id}`, key).expect(200);
  await purge();
  await eventually(async () => (await inProject()) === 0);
  await write();
  await later('11 minutes');
  await purge();
  await eventually(async () => (await inProject()) === 0);
  expect(await listed()).toBe(1);

  // A process was cut off from ClickHouse for most of a week.
  await on.database.query(`UPDATE clickhouse_purges SET deleted_at = now() - interval '6 days'`);
  await later('25 hours');
  await purge();
  await write();
  await later('25 hours');
  await purge();
  await eventually(async () => (await inProject()) === 0);
  expect(await listed()).toBe(1);

  await on.database.query(`UPDATE clickhouse_purges SET deleted_at = now() - interval '8 days'`);
  await later('25 hours');
  await purge();
  // ClickHouse may have been away for the week, and clicks may still wait in a process.
  expect(await listed()).toBe(1);
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 10 * 60_000);
  await later('25 hours');
  await purge();
  clock.mockRestore();
  expect([await listed(), (await counts())['stored']]).toEqual([0, before]);
});

test('the retention of the tables follows the setting', async () => {
  const another = await server.createDatabase();
  const ttls = async () => {
    const rows = await another.rows<{ name: string; ttl: string }>(
      `SELECT name, extract(create_table_query, 'TTL (.+?) SETTINGS') AS ttl FROM system.tables
       WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != 'schema_migrations'`,
    );
    expect(rows.length).toBe(3);
    return new Set(rows.map(({ ttl }) => ttl.replace(/\(\w+\)/, '(…)')));
  };
  const startWith = async (retentionMonths: number, migrate: boolean) => {
    const started = clickHouseClicksOn(another.url, on.database, { retentionMonths, migrate });
    await started.repository.createPartitionsAhead(0);
    await started.close();
  };
  const ttlOf = (months: number) => new Set([`toDateTime(toStartOfMonth(…), 'UTC') + toIntervalMonth(${months + 1})`]);
  for (const months of [13, 3]) {
    await startWith(months, true);
    expect(await ttls()).toEqual(ttlOf(months));
  }
  // With MIGRATE_ON_START=false, the program migrate changes it.
  await startWith(5, false);
  expect(await ttls()).toEqual(ttlOf(3));
});

test('each insert is on the disk before its answer, so that a loss of power loses no clicks', async () => {
  const rows = await store.rows<{ name: string; definition: string }>(
    `SELECT name, create_table_query AS definition FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name != 'schema_migrations'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(clickTables).sort());
  for (const { definition } of rows) expect(definition).toContain('fsync_after_insert = 1, fsync_part_directory = 1');
});

test('a whole month expires at once', async () => {
  const old = clickHouseClicksOn((await server.createDatabase()).url, on.database, { retentionMonths: 1 });
  await old.write(
    [0, 2, 3].map((months) => {
      const now = new Date();
      // The last moment of a month.
      return aClick({ at: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1) - 1, projectId, link });
    }),
  );
  await old.clickHouse.command('OPTIMIZE TABLE clicks FINAL');
  const rows = await old.clickHouse.rows<{ months: number }>('SELECT count() AS months FROM clicks');
  await old.close();
  expect(rows).toEqual([{ months: 1 }]);
});

test('migrations run once, by any number of processes at once', async () => {
  const another = await server.createDatabase();
  const opened = Array.from({ length: 4 }, () => clickHouseClicksOn(another.url, on.database));
  await Promise.all(
    opened.map(({ write }) => write([aClick({ at: Date.parse('2026-11-21T10:00:00Z'), projectId, link })])),
  );
  expect((await another.rows<Record<string, number>>(clicksInEachTable))[0]).toEqual({
    stored: 4,
    of_links: 4,
    of_projects: 4,
    of_groupings: 4,
  });
  const { clickHouse } = opened[0]!;
  const changes = jest.spyOn(clickHouse, 'command');
  expect(await migrateClickHouse(clickHouse, longRetentionMonths)).toEqual([]);
  expect(changes).not.toHaveBeenCalled();
  await Promise.all(opened.map(({ close }) => close()));
});

test.each([true, false])('a database of another version is refused, where migrate is %s', async (migrate) => {
  const { url } = await server.createDatabase();
  const opened = clickHouseClicksOn(url, on.database, { migrate });
  await migrateClickHouse(opened.clickHouse, longRetentionMonths);
  // Its sums would be incomplete.
  await opened.clickHouse.command("INSERT INTO schema_migrations (name) VALUES ('0001-clicks')");
  await expect(opened.write([aClick({ at: Date.now(), projectId, link })])).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/^another version made the database \(0001-clicks\)/) },
  });
  await opened.close();
});

test('a process that does not migrate waits for the views, so that no click is missing in sums', async () => {
  const another = await server.createDatabase();
  const opened = clickHouseClicksOn(another.url, on.database, { migrate: false });
  const write = () => opened.write([aClick({ at: Date.parse('2026-11-21T10:00:00Z'), projectId, link })]);
  const missing = (names: string) => ({ cause: { message: `the database lacks ${names}. Run the program migrate.` } });
  const views = 'link_clicks_by_quarter_view, project_clicks_by_quarter_view';
  await expect(write()).rejects.toMatchObject(
    missing(`clicks, link_clicks_by_quarter, project_clicks_by_quarter, ${views}`),
  );
  const { statements } = clickHouseMigrations(longRetentionMonths)[0]!;
  for (const table of statements.slice(0, 3)) await opened.clickHouse.command(table);
  await expect(write()).rejects.toMatchObject(missing(views));
  await migrateClickHouse(opened.clickHouse, longRetentionMonths);
  await write();
  expect((await another.rows<Record<string, number>>(clicksInEachTable))[0]).toEqual({
    stored: 1,
    of_links: 1,
    of_projects: 1,
    of_groupings: 1,
  });
  await opened.close();
});

test('the program migrate creates the tables', async () => {
  const { url } = await server.createDatabase();
  const environment = { DATABASE_URL: on.database.url, CLICKHOUSE_URL: url };
  expect(await run('migrate', environment)).toBe('migrated 0001-clicks-and-visitors (ClickHouse)\n');
  expect(await run('migrate', environment)).toBe('nothing to migrate\n');
});
