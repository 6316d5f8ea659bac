import { Cluster } from '../support/cluster';
import { eventually, until } from '../support/eventually';
import { endAllPrograms, Program } from '../support/process';
import { TwoRegions } from '../support/region';

// Streaming standbys take over from a primary and from a region (docs/operating/regions.md). Each test continues where the one
// before ended.

/** A condition that must become true at some time, also on a busy machine. */
const enoughMs = 120_000;

let on: TwoRegions;
let links: string;
/** All servers but those that `TwoRegions` removes. */
const others: Cluster[] = [];

beforeAll(async () => {
  // Standbys must keep up before a region gets a change, so that no region has what a new primary lost.
  on = await TwoRegions.start({ synchronized_standby_slots: 'standby' });
  const { id } = await on.api('POST', '/projects', { name: 'Shop', subdomain: 'shop' });
  links = `/projects/${id}/links`;
  await aLink('known');
  await on.add();
  await on.serve();
});
afterAll(async () => {
  await endAllPrograms();
  await on.remove();
  await Promise.all(others.map((cluster) => cluster.remove()));
});

async function aStandbyOf(cluster: Cluster, name: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const standby = await Cluster.standbyOf(cluster, name, settings);
  others.push(standby);
  return standby;
}

async function aLink(path: string): Promise<void> {
  await on.api('POST', links, { name: path, custom_path: path, desktop_url: `https://example.com/${path}` });
}

async function visit(path: string, by: Program = on.service): Promise<string> {
  const { status, headers } = await by.ask(`/${path}`, { headers: { Host: 'shop.localhost' } });
  return headers.location ?? String(status);
}

const serves = (path: string) =>
  eventually(async () => (await visit(path)) === `https://example.com/${path}`, enoughMs);

/** Visits until the returned function is called, and expects no other answer than the destination. */
function visitors(path: string): () => Promise<void> {
  let stopped = false;
  const running = (async () => {
    while (!stopped) expect(await visit(path)).toBe(`https://example.com/${path}`);
  })();
  running.catch(() => {});
  return async () => {
    stopped = true;
    await running;
  };
}

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
  }, enoughMs);
}

describe('a streaming standby of the primary', () => {
  let standby: Cluster;

  test('refuses notifications, so that a process on it asks for each visit and stores no click', async () => {
    standby = await aStandbyOf(on.primary, 'standby', {
      sync_replication_slots: 'on',
      synchronized_standby_slots: '',
    });
    const reader = await Program.serving({ ROLE: 'traffic', DATABASE_URL: standby.url, MIGRATE_ON_START: 'false' });
    await eventually(async () => (await visit('known', reader)) === 'https://example.com/known', enoughMs);
    const { json } = await reader.ask('/health/ready');
    expect(json.data['checks']).toMatchObject({ change_listener: 'down' });
    expect(reader.logLines.map(({ message }) => message).join()).toContain('LISTEN');
    await reader.kill();
  });

  test('takes over with the slot, and the region continues without a command', async () => {
    await aLink('before');
    await on.untilEqual();
    await untilSlotIsKept(standby);
    const stop = visitors('before');
    await failOver(standby);
    await aLink('after');
    await on.untilEqual();
    await serves('after');
    await stop();
    await on.untilSlotIs('active');
    expect(await on.add()).toEqual({ region: { name: 'eu', code: 1, state: 'kept' } });
  });

  test('takes over without the slot, and region add copies what is missing', async () => {
    const next = await aStandbyOf(on.primary, 'standby2', {
      sync_replication_slots: 'off',
      synchronized_standby_slots: '',
    });
    await aLink('second');
    await on.untilEqual();
    const written = await on.primary.query<{ at: string }>('SELECT pg_current_wal_lsn() AS at');
    await until(async () => {
      const sql = `SELECT pg_last_wal_replay_lsn() >= '${written[0]!.at}' AS has`;
      return (await next.query<{ has: boolean }>(sql))[0]!.has;
    }, enoughMs);
    const stop = visitors('second');
    await failOver(next);
    await aLink('third');
    expect(await on.adminOfPrimary('status')).toMatchObject({ regions: [{ name: 'eu', slot: 'missing' }] });
    await until(async () => (await on.checks())['replication'] === 'behind', enoughMs);
    expect(await on.add()).toMatchObject({ region: { state: 'rebuilt' } });
    await on.untilEqual();
    await serves('third');
    await stop();
  });
});

test('a streaming standby of a region takes over with the subscription, the clicks and the tokens', async () => {
  const standby = await aStandbyOf(on.region, 'regional');
  await on.untilEqual();
  await serves('third');
  await until(async () => (await on.metric('signpost_clicks_waiting')) === 0, enoughMs);
  const contentOf = async (cluster: Cluster) => ({
    ...(await on.contentOf(cluster)),
    clicks: await cluster.query('SELECT count(*) FROM single_clicks'),
  });
  const content = JSON.stringify(await contentOf(on.region));
  await until(async () => JSON.stringify(await contentOf(standby)) === content, enoughMs);
  await on.region.stopAtOnce();
  await on.service.kill();
  others.push(on.region);
  on.region = standby;
  await standby.query('SELECT pg_promote()');
  await on.serve();
  expect(await visit('third')).toBe('https://example.com/third');
  await aLink('fourth');
  await on.untilEqual();
  await serves('fourth');
  await on.untilReplicating();
});
