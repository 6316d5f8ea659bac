import { Cluster } from '../support/cluster';
import { eventually, until } from '../support/eventually';
import { Program } from '../support/process';
import { twoRegionsFixture } from '../support/region';
import { RegionalShop } from './regional-shop';

// Streaming standbys take over from a primary and from a region (docs/operating/regions.md). Each test continues where the one
// before ended.

const shop = new RegionalShop(() => on);
/** All servers but those that `TwoRegions` removes. */
const others: Cluster[] = [];

/** Standbys must keep up before a region gets a change, so that no region has what a new primary lost. */
const on = twoRegionsFixture({ synchronized_standby_slots: 'standby' });
beforeAll(async () => {
  await shop.create();
  await shop.aLink('known');
  await on.add();
  await on.serve();
});
afterAll(() => Promise.all(others.map((cluster) => cluster.remove())));

async function aStandbyOf(cluster: Cluster, name: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const standby = await Cluster.standbyOf(cluster, name, settings);
  others.push(standby);
  return standby;
}

const visitors = (path: string) => shop.visitors({ [path]: [`https://example.com/${path}`] });

/** Ends the primary without a shutdown, and continues with its standby. */
async function failOver(standby: Cluster): Promise<void> {
  await on.primary.stopAtOnce();
  await on.home.kill();
  await standby.query('SELECT pg_promote()');
  others.push(on.primary);
  on.primary = standby;
  on.network.leadTo(standby.url);
  on.home = await Program.serving({ DATABASE_URL: standby.url });
}

/** Waits until the standby has the slot of the region in a state that survives a promotion. */
async function untilSlotIsKept(standby: Cluster): Promise<void> {
  await until(async () => {
    // A standby takes over a slot from a point at which no transaction of the primary runs.
    await on.primary.query('SELECT pg_log_standby_snapshot()');
    const [slot] = await standby.query<{ kept: boolean }>(
      'SELECT synced AND NOT temporary AND invalidation_reason IS NULL AS kept FROM pg_replication_slots',
    );
    return slot?.kept === true;
  });
}

describe('a streaming standby of the primary', () => {
  let standby: Cluster;

  test('refuses notifications, so that a process on it asks for each visit and stores no click', async () => {
    standby = await aStandbyOf(on.primary, 'standby', {
      sync_replication_slots: 'on',
      synchronized_standby_slots: '',
    });
    const reader = await Program.serving({ ROLE: 'traffic', DATABASE_URL: standby.url, MIGRATE_ON_START: 'false' });
    await eventually(async () => (await shop.visit('known', { by: reader })) === 'https://example.com/known');
    const { json } = await reader.ask('/health/ready');
    expect(json.data['checks']).toMatchObject({ change_listener: 'down' });
    expect(reader.logLines.map(({ message }) => message).join()).toContain('LISTEN');
    await reader.kill();
  });

  test('takes over with the slot, and the region continues without a command', async () => {
    await shop.aLink('before');
    await on.untilEqual();
    await untilSlotIsKept(standby);
    const stop = visitors('before');
    await failOver(standby);
    await shop.aLink('after');
    await on.untilEqual();
    await shop.serves('after');
    await stop();
    await on.untilSlotIs('active');
    expect(await on.add()).toEqual({ region: { name: 'eu', code: 1, state: 'kept' } });
  });

  test('takes over without the slot, and region add copies what is missing', async () => {
    const next = await aStandbyOf(on.primary, 'standby2', {
      sync_replication_slots: 'off',
      synchronized_standby_slots: '',
    });
    await shop.aLink('second');
    await on.untilEqual();
    const written = await on.primary.query<{ at: string }>('SELECT pg_current_wal_lsn() AS at');
    await until(async () => {
      const sql = `SELECT pg_last_wal_replay_lsn() >= '${written[0]!.at}' AS has`;
      return (await next.query<{ has: boolean }>(sql))[0]!.has;
    });
    const stop = visitors('second');
    await failOver(next);
    await shop.aLink('third');
    expect(await on.adminOfPrimary('status')).toMatchObject({ regions: [{ name: 'eu', slot: 'missing' }] });
    await until(async () => (await on.checks())['replication'] === 'behind');
    expect(await on.add()).toMatchObject({ region: { state: 'rebuilt' } });
    await on.untilEqual();
    await shop.serves('third');
    await stop();
  });
});

test('a streaming standby of a region takes over with the subscription, the clicks and the tokens', async () => {
  const standby = await aStandbyOf(on.region, 'regional');
  await on.untilEqual();
  await shop.serves('third');
  await until(async () => (await on.metric('signpost_clicks_waiting')) === 0);
  const contentOf = async (cluster: Cluster) => ({
    ...(await on.contentOf(cluster)),
    clicks: await cluster.query('SELECT count(*) FROM single_clicks'),
  });
  const content = JSON.stringify(await contentOf(on.region));
  await until(async () => JSON.stringify(await contentOf(standby)) === content);
  await on.region.stopAtOnce();
  await on.service.kill();
  others.push(on.region);
  on.region = standby;
  await standby.query('SELECT pg_promote()');
  await on.serve();
  expect(await shop.visit('third')).toBe('https://example.com/third');
  await shop.aLink('fourth');
  await on.untilEqual();
  await shop.serves('fourth');
  await on.untilReplicating();
});
