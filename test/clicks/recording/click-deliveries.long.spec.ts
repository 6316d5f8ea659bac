import type { Pool, QueryConfig } from 'pg';
import { openPrimaryPool } from '../../../src/regions/primary-pool';
import { PgClickDeliveries } from '../../../src/regions/pg-click-deliveries';
import { PgClickRepository } from '../../../src/clicks/recording/pg-click.repository';
import { Log } from '../../../src/platform/observability/log';
import { timeLimits } from '../../../src/platform/postgres/time-limits';
import { newId } from '../../../src/shared/id';
import { losingAnswer, TwoDatabases } from '../../support/two-databases';
import { atEndOfTest } from '../../support/end-of-test';
import { aClick, anOpenedLink, batchOf, clicksOfRow } from './counting';
import { fixture } from '../../support/fixtures';

const on = fixture(() => TwoDatabases.create());
const region = fixture(() => new PgClickRepository(on.pools.region, true));
const deliveries = fixture(() => new PgClickDeliveries(on.pools.region, on.pools.primary, on.writer));
beforeAll(() => region.createPartitions([Date.parse('2026-11-21T10:00:00Z')]));

/** Writes clicks to the region, as many small batches. */
async function write(count: number, at = '2026-11-21T10:07:00Z', projectId = on.projectId): Promise<void> {
  for (let number = 0; number < count; number++)
    await region.record(
      newId(),
      1,
      batchOf([
        aClick({
          at: Date.parse(at) + number,
          projectId,
          link: anOpenedLink({ id: on.linkId }),
          country: number % 2 ? 'DE' : null,
        }),
      ]),
    );
}

/** Returns the number of the last delivery in the primary. */
async function last(): Promise<string> {
  const sql = 'SELECT * FROM contact_primary($1, $2)';
  const [state] = await on.primary.query<{ last_delivery: string }>(sql, [on.code, on.writer]);
  return state!.last_delivery;
}

const deliver = async (by = deliveries): Promise<void> => by.deliver(await last());

async function clicksInPrimary(): Promise<number> {
  const [row] = await on.primary.query<{ clicks: number }>(
    `SELECT coalesce(sum(${clicksOfRow}), 0)::int AS clicks FROM clicks`,
  );
  return row!.clicks;
}

test('clicks arrive once, with their properties, and without their moments', async () => {
  await write(10);
  expect(await deliveries.countUndelivered()).toBe(10);
  await deliver();
  await deliver();
  const rows = await on.primary.query(
    'SELECT clicked_at, dynamic_link_id, country, count(*)::int AS clicks FROM single_clicks GROUP BY 1, 2, 3 ORDER BY 3',
  );
  const of = { clicked_at: new Date('2026-11-21T10:00:00Z'), dynamic_link_id: on.linkId, clicks: 5 };
  expect(rows).toEqual([
    { ...of, country: 'DE' },
    { ...of, country: null },
  ]);
  expect(await deliveries.countUndelivered()).toBe(0);
  const [moment] = await on.region.query<{ at: Date }>('SELECT max(clicked_at) AS at FROM single_clicks');
  expect(moment!.at).toEqual(new Date('2026-11-21T10:07:00.009Z'));
});

test('clicks count once if the answer of the primary is lost', async () => {
  const before = await clicksInPrimary();
  await write(3);
  const losing = new PgClickDeliveries(on.pools.region, losingAnswer(on.pools.primary, /record_clicks/), on.writer);
  await expect(deliver(losing)).rejects.toThrow('terminated');
  expect(await deliveries.countUndelivered()).toBe(3);
  await deliver();
  expect(await clicksInPrimary()).toBe(before + 3);
  expect(await deliveries.countUndelivered()).toBe(0);
});

test('clicks count once if several processes deliver at the same time', async () => {
  const before = await clicksInPrimary();
  const others = Array.from({ length: 3 }, () => new PgClickDeliveries(on.pools.region, on.pools.primary, on.writer));
  for (let round = 1; round <= 5; round++) {
    await write(4);
    const from = await last();
    await Promise.all([deliveries, ...others].map((one) => one.deliver(from)));
    await deliver();
    expect(await clicksInPrimary()).toBe(before + 4 * round);
  }
});

test('clicks are delivered again if the primary changes between two deliveries', async () => {
  const before = await clicksInPrimary();
  await write(2);
  const from = await last();
  let isChanged = false;
  // The new primary lacks the delivery that the old one has answered.
  const changing = {
    query: async (sql: QueryConfig) => {
      const answer = await on.pools.primary.query(sql);
      if (isChanged) return answer;
      isChanged = true;
      await on.primary.query('DELETE FROM clicks WHERE batch_id = (SELECT max(batch_id) FROM clicks)');
      await on.primary.query('UPDATE click_writers SET batch = batch - 1 WHERE id = $1', [on.writer]);
      await write(3);
      return answer;
    },
  } as unknown as Pool;
  await new PgClickDeliveries(on.pools.region, changing, on.writer).deliver(from);
  expect(await clicksInPrimary()).toBe(before);
  await deliver();
  await deliver();
  expect(await clicksInPrimary()).toBe(before + 2 + 3);
});

test('a delivery may take longer than a statement of a request', async () => {
  const before = await clicksInPrimary();
  await write(1);
  const from = await last();
  await on.primary.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$`);
  await on.primary.query('CREATE TRIGGER slow BEFORE INSERT ON click_writers FOR EACH ROW EXECUTE FUNCTION wait()');
  const usual = { ...timeLimits };
  Object.assign(timeLimits, { statement: 200, query: 300 });
  const primary = openPrimaryPool(on.primary.url, 'contact', new Log('silent'), null);
  try {
    await new PgClickDeliveries(on.pools.region, primary, on.writer).deliver(from);
  } finally {
    Object.assign(timeLimits, usual);
    await primary.end();
    await on.primary.query('DROP TRIGGER slow ON click_writers');
  }
  expect(await clicksInPrimary()).toBe(before + 1);
});

test('clicks count once after the region lost its last deliveries', async () => {
  const before = await clicksInPrimary();
  await write(2);
  await deliver();
  await on.region.query('DELETE FROM click_deliveries');
  await on.region.query('ALTER TABLE click_deliveries ALTER COLUMN number RESTART');
  await write(3);
  const warnings: string[] = [];
  const restored = new PgClickDeliveries(on.pools.region, on.pools.primary, on.writer, (text) => warnings.push(text));
  await deliver(restored);
  await write(4);
  await deliver(restored);
  expect(await clicksInPrimary()).toBe(before + 2 + 3 + 4);
  expect(await deliveries.countUndelivered()).toBe(0);
  expect(warnings).toEqual([expect.stringContaining('which this database lacks')]);
});

test('a user who does not own the tables can leave out numbers', async () => {
  const user = `service_${newId().replaceAll('-', '')}`;
  const skip = async (): Promise<unknown> =>
    (await on.region.query(`SELECT skip_click_deliveries(${await last()}) AS skipped`))[0];
  await on.region.query(`CREATE ROLE ${user}`);
  atEndOfTest(() => on.region.query(`RESET ROLE; DROP OWNED BY ${user}; DROP ROLE ${user}`));
  await on.region.query(`SET ROLE ${user}`);
  await expect(skip()).rejects.toThrow('permission denied for function');
  await on.region.query('RESET ROLE');
  await on.region.query(`GRANT EXECUTE ON FUNCTION skip_click_deliveries TO ${user}`);
  await on.region.query('ALTER TABLE click_deliveries ALTER COLUMN number RESTART');
  await on.region.query(`SET ROLE ${user}`);
  expect([await skip(), await skip()]).toEqual([{ skipped: true }, { skipped: false }]);
});

test('the clicks of an outage of ten minutes are delivered in several deliveries, and count once', async () => {
  const before = await clicksInPrimary();
  const from = await last();
  // A process writes two batches per second.
  const batches = 2 * 600;
  await write(batches);
  await deliver();
  expect(Number(await last()) - Number(from)).toBe(2);
  expect(await clicksInPrimary()).toBe(before + batches);
  expect(await deliveries.countUndelivered()).toBe(0);
});

test('clicks of a deleted project are purged in the region, and not counted in the primary', async () => {
  const before = await clicksInPrimary();
  const id = newId();
  for (const database of [on.region, on.primary])
    await database.query(
      "INSERT INTO projects (id, account_id, user_id, name, subdomain) SELECT $1, id, id, 'P', 'gone' FROM accounts",
      [id],
    );
  await write(2, undefined, id);
  await on.region.query("INSERT INTO deferred_links VALUES ('\\x01', $1, $1, now(), now() + interval '1 day')", [id]);
  for (const database of [on.primary, on.region])
    await database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [id]);
  await deliver();
  expect(await clicksInPrimary()).toBe(before);
  while (!(await region.purgeSome(1000)));
  const left = await on.region.query(
    'SELECT project_id FROM clicks WHERE project_id = $1 UNION ALL SELECT project_id FROM deferred_links WHERE project_id = $1',
    [id],
  );
  expect(left).toEqual([]);
});
