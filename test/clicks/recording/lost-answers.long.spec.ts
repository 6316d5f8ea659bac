import { setTimeout as sleep } from 'node:timers/promises';
import { ClickRecorder } from '../../../src/clicks/recording/click-recorder';
import type { OpenedLink } from '../../../src/clicks/recording/click';
import { aDynamicLink, aProject } from '../../support/builders';
import { createDatabase, type TestDatabase } from '../../support/database';
import { DatabaseProxy } from '../../support/database-proxy';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';
import { aClick, anOpenedLink, analytics, clicksOfRow } from './counting';
import { useProductionQueryLimit } from '../../support/time-limits';

// Statements wait in PostgreSQL for as long as the test needs. Only a lost answer must be noticed soon.
beforeAll(useProductionQueryLimit);

// Only the database knows whether a write without an answer was committed.

let database: TestDatabase;
let proxy: DatabaseProxy;
let on: TestService;
let key: string;
let projectId: string;
let link: OpenedLink;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.before(database.url);
  on = await aService({ METRICS_PORT: '0' }, { ...database, url: proxy.url });
  key = (await on.anAccount('enterprise')).key;
});
afterAll(async () => {
  await on.stop();
  await proxy.close();
  await database.drop();
});
beforeEach(async () => {
  projectId = (await aProject(on, key)).id;
  link = anOpenedLink({ id: (await aDynamicLink(on, key, projectId)).id });
});

const name = 'signpost clicks';
const recorder = () => on.service.app.get(ClickRecorder);
const record = (count: number) => {
  for (let at = 0; at < count; at++) recorder().record(aClick({ at: Date.now(), projectId, link }));
};
const stored = async () => {
  const [row] = await database.query<{ count: number }>(
    `SELECT coalesce(sum(${clicksOfRow}), 0)::int AS count FROM clicks WHERE project_id = $1`,
    [projectId],
  );
  return row!.count;
};
const counted = async () => (await analytics(on, key, projectId)).totals.clicks;
const metric = async (which: string): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`)).text();
  return Number(new RegExp(`^signpost_clicks_${which} (\\d+)$`, 'm').exec(text)![1]);
};

test('written clicks whose answer was lost are not written twice', async () => {
  // The statement waits until its connection is cut, and then commits.
  await database.query(
    `CREATE FUNCTION wait_for_cut() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$`,
  );
  await database.query('CREATE TRIGGER slow AFTER INSERT ON clicks FOR EACH STATEMENT EXECUTE FUNCTION wait_for_cut()');
  await database.query('SELECT pg_advisory_lock(1)');
  const before = await metric('recorded_total');
  record(10);
  await eventually(async () => {
    const [row] = await database.query<{ active: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1 AND wait_event = 'advisory') AS active`,
      [name],
    );
    return row!.active;
  });
  proxy.blackhole(name);
  await database.query('SELECT pg_advisory_unlock(1)');
  await eventually(async () => (await stored()) === 10);
  expect([await metric('waiting'), await metric('recorded_total')]).toEqual([10, before]);
  record(5);
  await database.query('DROP TRIGGER slow ON clicks');
  proxy.heal();
  await eventually(async () => (await metric('recorded_total')) === before + 15);
  expect([await stored(), await counted(), await metric('waiting')]).toEqual([15, 15, 0]);
});

test('clicks of an outage are written later, and a metric counts the dropped ones', async () => {
  const [recorded, dropped] = [await metric('recorded_total'), await metric('dropped_total')];
  await database.query('ALTER TABLE clicks RENAME TO elsewhere');
  record(100_010);
  await on.visit((await aProject(on, key)).subdomain, '/none').expect(404);
  expect([await metric('waiting'), await metric('dropped_total')]).toEqual([100_000, dropped + 10]);
  await sleep(1500);
  await database.query('ALTER TABLE elsewhere RENAME TO clicks');
  await eventually(async () => (await metric('waiting')) === 0);
  expect(await metric('recorded_total')).toBe(recorded + 100_000);
  expect([await stored(), await counted()]).toEqual([100_000, 100_000]);
});
