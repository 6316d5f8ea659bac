import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { maxReferrersPerDay } from '../../src/clicks/recording/distinct-names';
import { createDatabase, type TestDatabase } from '../support/database';
import { ask } from '../support/ask';
import { until } from '../support/eventually';
import { endAllPrograms, Program } from '../support/process';
import { available, createWhenAvailable, untilAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { aStoredKey, type StoredKey } from '../support/stored-key';
import { podEnvironment, Victim, written } from '../support/victim';

beforeAll(useProductionTimeLimitsInPrograms);

const attackMs = 5000;
const connections = 16;

let database: TestDatabase;
let service: Program;
let victim: Victim;
let attacker: StoredKey;
let subdomain: string;
let projectPath: string;

beforeAll(async () => {
  database = await createDatabase();
  service = await Program.serving({ ...podEnvironment, DATABASE_URL: database.url });
  victim = await Victim.of(service, database);
  await anAttackedLink();
});
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

let accounts = 0;

/** Creates the link that the next round attacks, in a new account that has no referring hosts yet. */
async function anAttackedLink(): Promise<void> {
  attacker = await aStoredKey(database);
  const create = async (path: string, body: object): Promise<string> =>
    `${path}/${(await createWhenAvailable(service, path, attacker.key, body)).id}`;
  subdomain = `attacked-${++accounts}`;
  projectPath = await create('/api/v1/projects', { name: 'Attacked', subdomain });
  await create(`${projectPath}/links`, { name: 'Known', custom_path: 'known', desktop_url: 'https://example.com/' });
}

let rounds = 0;
/** The redirected visits of all rounds. */
let visits = 0;

interface Attack {
  visits: number;
  statuses: Record<string, number>;
}

/** Opens the link with a new referring host each time, as long as hosts may be. */
async function visitFromRandomHosts(): Promise<Attack> {
  rounds++;
  const end = performance.now() + attackMs;
  const statuses: Attack['statuses'] = {};
  const visitor = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < end) {
      const label = () => randomBytes(30).toString('hex');
      const headers = { Host: `${subdomain}.localhost`, Referer: `https://${label()}.${label()}.${label()}.example/` };
      const { status } = await ask(service.port, { path: '/known', headers, agent });
      expect([302, 503]).toContain(status);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  const redirected = statuses[302] ?? 0;
  visits += redirected;
  return { visits: redirected, statuses };
}

async function statistics(query: string): Promise<{ took: number; clicks: number; groups: number; other: number }> {
  const read = () => service.ask(`${projectPath}/analytics?${query}`, { key: attacker.key });
  const [answer] = await untilAvailable(async () => available([await read()]));
  const { status, tookSteady: took, json } = answer!;
  expect(status).toBe(200);
  const { totals, groups, other } = json.data as {
    totals: { clicks: number };
    groups: { clicks: number }[];
    other: { clicks: number };
  };
  const listed = groups.reduce((sum, group) => sum + group.clicks, 0);
  expect(listed + other.clicks).toBe(totals.clicks);
  return { took, clicks: totals.clicks, groups: groups.length, other: other.clicks };
}

const queries = ['interval=day', 'interval=hour&timezone=Asia/Kathmandu'].map((query) => `${query}&group_by=referrer`);

/** Returns the time of the slowest query. Of each query the fastest of some requests counts, because the machine may be busy. */
async function slowestStatistics(): Promise<number> {
  const slowest: number[] = [];
  for (const query of queries) {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) times.push((await statistics(query)).took);
    slowest.push(Math.min(...times));
  }
  return Math.max(...slowest);
}

test('visits from random hosts leave few rows and fast statistics', async () => {
  const quietStatistics = await slowestStatistics();
  const loud = await victim.expectUnharmed(visitFromRandomHosts, {
    prepare: anAttackedLink,
    isUnavailable: ({ statuses }) => '503' in statuses,
  });
  const visitsOfProject = loud.attack.visits;
  await until(async () => (await statistics(queries[0]!)).clicks === visitsOfProject);
  const freshStatistics = await slowestStatistics();
  // The next sweep of the process sums old batches.
  await database.query("UPDATE fresh_click_batches SET written_at = 'epoch'");
  await until(async () => (await database.query('SELECT FROM fresh_click_batches')).length === 0);
  const summedStatistics = await slowestStatistics();
  const [stored] = await database.query<{ bytes: number; hosts: number }>(
    `SELECT (SELECT sum(pg_total_relation_size(inhrelid))::int FROM pg_inherits
             WHERE inhparent IN ('clicks'::regclass, 'clicks_by_day'::regclass, 'clicks_by_quarter'::regclass)) AS bytes,
            (SELECT max(hosts)::int FROM (
               SELECT count(*) AS hosts FROM clicks_by_quarter
               WHERE dimension = 'referrer' AND value NOT IN ('', '*') GROUP BY scope_id, day
             ) AS days) AS hosts`,
  );
  const bytesPerVisit = stored!.bytes / visits;
  const ms = (time: number): string => `${time.toFixed(0)} ms`;
  console.info(
    `${visits} visits from random hosts: ${stored!.hosts} hosts of a day, ${bytesPerVisit.toFixed(0)} bytes per visit.`,
    `Statistics: ${ms(quietStatistics)} before, ${ms(freshStatistics)} fresh, ${ms(summedStatistics)} summed.`,
    `${written(loud)}.`,
  );
  const { clicks, groups } = await statistics(queries[0]!);
  expect(clicks).toBe(visitsOfProject);
  expect(groups).toBe(100);
  expect(stored!.hosts).toBeLessThanOrEqual(maxReferrersPerDay.project);
  expect(stored!.bytes).toBeLessThan(rounds * 3_000_000 + 100 * visits);
  expect(Math.max(freshStatistics, summedStatistics)).toBeLessThan(Math.max(300, 5 * quietStatistics));
});
