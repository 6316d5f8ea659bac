import { until } from '../support/eventually';
import { endAllPrograms, run } from '../support/process';
import { TwoRegions } from '../support/region';

// Each test continues where the one before ended.

let on: TwoRegions;
let links: string;

beforeAll(async () => {
  on = await TwoRegions.start();
  const { id } = await on.api('POST', '/projects', { name: 'Shop', subdomain: 'shop' });
  links = `/projects/${id}/links`;
  await on.api('POST', links, { name: 'A', custom_path: 'a', desktop_url: 'https://example.com/' });
  await on.add();
});
afterAll(async () => {
  await endAllPrograms();
  await on.remove();
});

const slots = () => on.primary.query<{ slot_name: string }>('SELECT slot_name FROM pg_replication_slots');

/** Disconnects the first database of the region, as a failure of its server does. */
async function disconnect(): Promise<void> {
  await on.region.query('ALTER SUBSCRIPTION signpost_region DISABLE');
  await untilSlotIs('inactive');
}

async function untilSlotIs(state: string): Promise<void> {
  await until(async () => {
    const { regions } = (await on.adminOfPrimary('status')) as { regions: { slot: string }[] };
    return regions[0]!.slot === state;
  });
}

test('claims of tokens from elsewhere that wait for the primary leave a connection to the contact', async () => {
  const service = await on.serve({ RATE_LIMIT_PER_MINUTE: '1000000' });
  await until(async () => (await service.visit('shop', '/a')).status !== 421);
  const client = await on.primary.connect();
  // Claims write this table, and contacts do not.
  await client.query('BEGIN; LOCK TABLE deferred_links IN ACCESS EXCLUSIVE MODE');
  let isDone = false;
  const claims = Array.from({ length: 30 }, async () => {
    const headers = { Host: 'shop.localhost' };
    // A token of the primary.
    const body = { token: 'A'.repeat(22) };
    while (!isDone) await service.ask('/deferred-links/claim', { method: 'POST', headers, body });
  });
  const contact = `SELECT FROM pg_stat_activity, regions
    WHERE application_name LIKE 'signpost region%' AND wait_event_type = 'Lock'
    GROUP BY heartbeat_at HAVING count(*) = 2 AND heartbeat_at > max(query_start)`;
  try {
    await until(async () => (await on.primary.query(contact)).length > 0);
  } finally {
    isDone = true;
    await client.end();
  }
  await Promise.all(claims);
  await service.stop();
});

describe('the URL of the subscription', () => {
  const url = async () =>
    (await on.region.query<{ url: string }>('SELECT subconninfo AS url FROM pg_subscription'))[0]?.url;

  test('stays without the option, also in a rebuild', async () => {
    const before = await url();
    expect(before).toContain('signpost_eu');
    for (const [options, state] of [
      [[], 'kept'],
      [['--rebuild'], 'rebuilt'],
    ] as const) {
      expect(await on.admin('add', '--name', 'eu', ...options)).toMatchObject({ region: { state } });
      expect(await url()).toBe(before);
    }
  });

  test('that leads nowhere leaves no slot', async () => {
    const wrong = 'postgres://nobody@127.0.0.1:1/nothing';
    const refused = on.admin('add', '--name', 'eu', '--rebuild', '--subscription-url', wrong);
    await expect(refused).rejects.toThrow('The region: ');
    expect(await slots()).toEqual([]);
    expect(await on.add()).toMatchObject({ region: { state: 'rebuilt' } });
  });
});

describe('a database that another one has replaced', () => {
  const inSuccessor = (sql: string) => on.region.query(sql, 'successor');
  const add = async () => successor('add', '--name', 'eu', '--subscription-url', await on.primaryForProcesses());
  const successor = async (...args: string[]): Promise<unknown> => {
    const settings = { ...on.environment, DATABASE_URL: on.region.urlOf('successor') };
    return JSON.parse(await run('admin', settings, 'region', ...args, '--json'));
  };

  beforeAll(async () => {
    await disconnect();
    await on.region.query('CREATE DATABASE successor');
    expect(await add()).toMatchObject({ region: { state: 'added' } });
    await untilSlotIs('active');
  });

  test('is rebuilt when it becomes the region again, because its successor received changes', async () => {
    await on.api('POST', links, { name: 'B', custom_path: 'b', desktop_url: 'https://example.com/' });
    await until(async () => (await inSuccessor("SELECT FROM dynamic_links WHERE custom_path = 'b'")).length === 1);
    await inSuccessor('ALTER SUBSCRIPTION signpost_region DISABLE');
    await untilSlotIs('inactive');
    expect(await on.add()).toMatchObject({ region: { state: 'rebuilt', code: 1 } });
    await on.untilEqual();
    await disconnect();
    expect(await add()).toMatchObject({ region: { state: 'rebuilt' } });
    await untilSlotIs('active');
  });

  test('is removed without the slot and the registration of its successor, also by force', async () => {
    for (const [options, subscription] of [
      [[], 'dropped'],
      [['--force'], 'missing'],
    ] as const)
      expect(await on.admin('remove', '--name', 'eu', ...options)).toMatchObject({
        region: { subscription, slot: 'kept', registration: 'kept' },
      });
    expect(await slots()).toHaveLength(1);
    expect(await successor('status')).toMatchObject({ region: { subscription: 'running', slot: { slot: 'active' } } });
  });
});

test('an owner who is no superuser needs the role of the region to end its connection', async () => {
  await on.primary.query('CREATE ROLE owner LOGIN REPLICATION; GRANT SELECT, DELETE ON regions TO owner');
  const url = on.primary.urlOf('postgres', { name: 'owner', password: '' });
  const remove = () => run('admin', { DATABASE_URL: url }, 'region', 'remove', '--name', 'eu', '--json');
  await expect(remove()).rejects.toThrow('GRANT signpost_eu TO');
  expect(await slots()).toHaveLength(1);
  await on.primary.query('GRANT signpost_eu TO owner');
  expect(JSON.parse(await remove())).toMatchObject({ region: { slot: 'dropped', registration: 'removed' } });
});
