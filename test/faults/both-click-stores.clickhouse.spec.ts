/** @needs clickhouse */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseDatabase, ClickHouseServer } from '../support/clickhouse-server';
import { Cluster } from '../support/cluster';
import { eventually } from '../support/eventually';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { scaled } from '../support/scale';

// Clicks go to both stores, while the service, PostgreSQL and ClickHouse are killed in turn.

const paths = ['one', 'two', 'three'];
const clients = [
  {
    platform: 'ios',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  },
  {
    platform: 'android',
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36',
  },
  {
    platform: 'desktop',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36',
  },
];

let server: ClickHouseServer;
let store: ClickHouseDatabase;
let postgres: Cluster;
let environment: Record<string, string>;
beforeAll(async () => {
  [server, postgres] = await Promise.all([ClickHouseServer.start(), Cluster.create({ fsync: 'on' })]);
  store = await server.createDatabase();
  environment = { DATABASE_URL: postgres.url, CLICKHOUSE_URL: store.url, CLICKHOUSE_MODE: 'write' };
});
afterAll(async () => {
  await endAllPrograms();
  await Promise.all([server.remove(), postgres.remove()]);
});

interface Tally {
  kind: string;
  clicks: number;
}

/** The clicks of each kind, which is a link and a platform. */
type Tallies = Map<string, number>;

const talliesOf = (rows: Tally[]): Tallies => new Map(rows.map(({ kind, clicks }) => [kind, Number(clicks)]));

const inClickHouse = async (): Promise<Tallies> =>
  talliesOf(
    await store.rows<Tally>(
      "SELECT concat(toString(dynamic_link_id), ' ', platform) AS kind, count() AS clicks FROM clicks GROUP BY kind",
    ),
  );

const inPostgres = async (): Promise<Tallies> =>
  talliesOf(
    await postgres.query<Tally & Record<string, unknown>>(
      "SELECT concat(dynamic_link_id, ' ', platform) AS kind, count(*) AS clicks FROM single_clicks GROUP BY kind",
    ),
  );

const added = (after: Tallies, before: Tallies): Tallies =>
  new Map([...after].map(([kind, clicks]) => [kind, clicks - (before.get(kind) ?? 0)]));

/** Waits until PostgreSQL has ended the statements of a killed service. */
const sessionsEnded = () =>
  eventually(
    async () =>
      (await postgres.query("SELECT FROM pg_stat_activity WHERE application_name LIKE 'signpost%'")).length === 0,
  );

test('each kind counts once in both stores, unless the service is killed between them', async () => {
  let program = await Program.serving(environment);
  const { key } = (await anAccountByShell(environment, 'enterprise')).api_key;
  const post = async (path: string, body: object) =>
    (await program.ask(`/api/v1${path}`, { method: 'POST', key, body })).json.data as { id: string };
  const project = await post('/projects', { name: 'Campaign', subdomain: 'campaign' });
  const links: string[] = [];
  for (const custom_path of paths)
    links.push((await post(`/projects/${project.id}/links`, { name: custom_path, custom_path })).id);

  /** Opens a link with a client, and returns the kind of the click. */
  async function visit(number: number): Promise<string> {
    const [link, client] = [number % paths.length, Math.floor(number / paths.length) % clients.length];
    const { platform, userAgent } = clients[client]!;
    const headers = { Host: 'campaign.localhost', 'User-Agent': userAgent };
    const { status } = await program.ask(`/${paths[link]!}`, { headers });
    // Status 0 is a connection that broke.
    expect([200, 302]).toContain(status);
    return `${links[link]!} ${platform}`;
  }

  const victims = {
    PostgreSQL: async () => {
      await postgres.crash();
      await postgres.start();
    },
    ClickHouse: async () => {
      await server.kill();
      await server.start();
    },
    service: async () => {
      await program.kill();
      await server.closedConnectionsRead();
      await sessionsEnded();
      program = await Program.serving(environment);
    },
  };
  for (let round = 0; round < Math.max(2, scaled(8)); round++)
    for (const [victim, kill] of Object.entries(victims)) {
      const [clickHouse, postgresql] = [await inClickHouse(), await inPostgres()];
      const visits: Tallies = new Map();
      const visitMany = async (): Promise<void> => {
        for (let number = 0; number < 20; number++) {
          const kind = await visit(number + round);
          visits.set(kind, (visits.get(kind) ?? 0) + 1);
        }
      };
      const addedNow = async () => [added(await inClickHouse(), clickHouse), added(await inPostgres(), postgresql)];
      /** PostgreSQL is the second to get a batch. */
      const untilStored = async (): Promise<void> => {
        await eventually(async () => same((await addedNow())[1]!, visits));
        for (const tallies of await addedNow()) expect(sorted(tallies)).toEqual(sorted(visits));
      };
      await visitMany();
      await untilStored();
      const before = new Map(visits);
      await visitMany();
      // In the middle of a write, which begins half a second after the first visit, or before it, or after it.
      await sleep(300 + ((round * 3) % 8) * 40);
      await kill();
      if (victim !== 'service') {
        await untilStored();
        continue;
      }
      const [first, second] = (await addedNow()) as [Tallies, Tallies];
      for (const [kind, count] of visits) {
        const [ofClickHouse, ofPostgres] = [first.get(kind) ?? 0, second.get(kind) ?? 0];
        expect(ofClickHouse).toBeLessThanOrEqual(count);
        expect(ofPostgres).toBeLessThanOrEqual(ofClickHouse);
        expect(ofPostgres).toBeGreaterThanOrEqual(before.get(kind) ?? 0);
      }
    }
  await program.stop();
});

/** Leaves out the kinds without a click. */
const sorted = (tallies: Tallies): [string, number][] => [...tallies].filter(([, clicks]) => clicks > 0).sort();

const same = (one: Tallies, other: Tallies): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
