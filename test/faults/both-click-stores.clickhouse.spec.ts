/** @needs clickhouse */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseDatabase, ClickHouseServer } from '../support/clickhouse-server';
import { eventually } from '../support/eventually';
import { scaled } from '../support/scale';
import { userAgents } from '../link-routing/user-agents';
import { useInstallation } from './installation';

// Clicks go to both stores, while the service, PostgreSQL and ClickHouse are killed in turn.

const paths = ['one', 'two', 'three'];
const clients = [
  { platform: 'ios', userAgent: userAgents.iphone },
  { platform: 'android', userAgent: userAgents.pixel },
  { platform: 'desktop', userAgent: userAgents.desktop },
];

let server: ClickHouseServer;
let store: ClickHouseDatabase;
beforeAll(async () => {
  server = await ClickHouseServer.start();
  store = await server.createDatabase();
});
afterAll(() => server.remove());
const on = useInstallation('campaign', {
  postgres: { fsync: 'on' },
  environment: () => ({ CLICKHOUSE_URL: store.url, CLICKHOUSE_MODE: 'write' }),
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
    await on.cluster.query<Tally & Record<string, unknown>>(
      "SELECT concat(dynamic_link_id, ' ', platform) AS kind, count(*) AS clicks FROM single_clicks GROUP BY kind",
    ),
  );

const added = (after: Tallies, before: Tallies): Tallies =>
  new Map([...after].map(([kind, clicks]) => [kind, clicks - (before.get(kind) ?? 0)]));

/** Waits until PostgreSQL has ended the statements of a killed service. */
const sessions = "SELECT FROM pg_stat_activity WHERE application_name LIKE 'signpost%'";
const sessionsEnded = () => eventually(async () => (await on.cluster.query(sessions)).length === 0);

test('each kind counts once in both stores, unless the service is killed between them', async () => {
  const links: string[] = [];
  for (const path of paths) links.push(await on.createLink(path));

  /** Opens a link with a client, and returns the kind of the click. */
  async function visit(number: number): Promise<string> {
    const [link, client] = [number % paths.length, Math.floor(number / paths.length) % clients.length];
    const { platform, userAgent } = clients[client]!;
    const headers = { Host: 'campaign.localhost', 'User-Agent': userAgent };
    const { status } = await on.service.ask(`/${paths[link]!}`, { headers });
    // Status 0 is a connection that broke.
    expect([200, 302]).toContain(status);
    return `${links[link]!} ${platform}`;
  }

  const victims = {
    PostgreSQL: async () => {
      await on.cluster.crash();
      await on.cluster.start();
    },
    ClickHouse: async () => {
      await server.kill();
      await server.start();
    },
    service: async () => {
      await on.service.kill();
      await server.closedConnectionsRead();
      await sessionsEnded();
      on.service = await on.replica();
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
});

/** Leaves out the kinds without a click. */
const sorted = (tallies: Tallies): [string, number][] => [...tallies].filter(([, clicks]) => clicks > 0).sort();

const same = (one: Tallies, other: Tallies): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
