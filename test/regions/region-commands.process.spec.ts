import { until } from '../support/eventually';
import { run } from '../support/process';
import { twoRegionsFixture } from '../support/region';

// Each test continues where the one before ended.

const on = twoRegionsFixture();
let links: string;

beforeAll(async () => {
  const { id } = await on.api('POST', '/projects', { name: 'Shop', subdomain: 'shop' });
  links = `/projects/${id}/links`;
  await on.api('POST', links, { name: 'A', custom_path: 'a', desktop_url: 'https://example.com/' });
  await on.add();
});

const slots = () => on.primary.query<{ slot_name: string }>('SELECT slot_name FROM pg_replication_slots');

/** Disconnects the first database of the region, as a failure of its server does. */
async function disconnect(): Promise<void> {
  await on.region.query('ALTER SUBSCRIPTION signpost_region DISABLE');
  await on.untilSlotIs('inactive');
}

interface Subscription {
  oid: number;
  slot: string | null;
  url: string;
}

const subscription = async () =>
  (await on.region.query<Subscription>('SELECT oid, subslotname AS slot, subconninfo AS url FROM pg_subscription'))[0]!;

describe('the URL of the subscription', () => {
  test('stays without the option, also in a rebuild', async () => {
    const before = await subscription();
    expect(before.url).toContain('signpost_eu');
    for (const [options, state] of [
      [[], 'kept'],
      [['--rebuild'], 'rebuilt'],
    ] as const) {
      expect(await on.admin('add', '--name', 'eu', ...options)).toMatchObject({ region: { state } });
      expect((await subscription()).url).toBe(before.url);
    }
  });

  const wrongUrls: [string, () => Promise<string> | string, string][] = [
    ['leads nowhere', () => 'postgres://nobody@127.0.0.1:1/nothing', 'Add --subscription-url'],
    [
      'has a value of sslmode that only the processes know',
      async () => (await on.primaryForProcesses()).replace('disable', 'no-verify'),
      'invalid sslmode value',
    ],
    [
      'leads to another database',
      async () => (await on.primaryForProcesses()).replace('/postgres?', '/template1?'),
      'the publication signpost_regions is missing',
    ],
  ];
  test.each(wrongUrls)('that %s is refused, and nothing has changed', async (_, wrongUrl, message) => {
    const before = await subscription();
    for (const options of [[], ['--rebuild']]) {
      const refused = on.admin('add', '--name', 'eu', ...options, '--subscription-url', await wrongUrl());
      await expect(refused).rejects.toThrow(new RegExp(`The region: .*${message}`, 's'));
      expect(await subscription()).toEqual(before);
    }
    await on.untilReplicating();
  });

  test('stays if the role of the region lacks a right', async () => {
    await on.region.query('CREATE ROLE operator LOGIN IN ROLE app');
    const before = await subscription();
    const settings = {
      ...on.environment,
      DATABASE_URL: on.region.urlOf('postgres', { name: 'operator', password: '' }),
    };
    const url = await on.primaryForProcesses();
    const rebuild = run('admin', settings, 'region', 'add', '--name', 'eu', '--rebuild', '--subscription-url', url);
    await expect(rebuild).rejects.toThrow(/session_replication_role.+docs\/operating\/regions.md/);
    expect(await subscription()).toEqual(before);
  });

  test('stays if a copy fails, and the next run needs no option', async () => {
    const { url } = await subscription();
    await on.region.query('ALTER TABLE dynamic_links ADD CONSTRAINT none CHECK (false) NOT VALID');
    await on.region.query('DELETE FROM dynamic_links');
    await expect(on.admin('add', '--name', 'eu', '--rebuild')).rejects.toThrow('violates check constraint');
    expect(await subscription()).toMatchObject({ slot: null, url });
    expect(await slots()).toEqual([]);
    expect(await on.admin('status')).toMatchObject({ region: { subscription: 'detached', slot: { slot: 'missing' } } });
    await on.region.query('ALTER TABLE dynamic_links DROP CONSTRAINT none');
    expect(await on.admin('add', '--name', 'eu')).toMatchObject({ region: { state: 'rebuilt' } });
    expect(await subscription()).toMatchObject({ slot: 'signpost_eu', url });
    await on.untilEqual();
  });

  test('stays if a command was killed after it had detached the subscription', async () => {
    const { url } = await subscription();
    await disconnect();
    await on.region.query('ALTER SUBSCRIPTION signpost_region SET (slot_name = NONE)');
    expect(await on.admin('add', '--name', 'eu')).toMatchObject({ region: { state: 'rebuilt' } });
    expect(await subscription()).toMatchObject({ slot: 'signpost_eu', url });
  });

  test('must be given if the region has lost its subscription', async () => {
    await disconnect();
    await on.region.query('ALTER SUBSCRIPTION signpost_region SET (slot_name = NONE)');
    await on.region.query('DROP SUBSCRIPTION signpost_region');
    await expect(on.admin('add', '--name', 'eu')).rejects.toThrow('The region: its subscription is missing');
    expect(await on.add()).toMatchObject({ region: { state: 'rebuilt' } });
  });
});

describe('an empty database', () => {
  const isolated = (settings: Record<string, string>, ...args: string[]) =>
    run('admin', { ...on.environment, MIGRATE_ON_START: 'false', ...settings }, 'region', ...args);

  beforeAll(async () => {
    for (const cluster of [on.primary, on.region]) await cluster.query('CREATE DATABASE empty');
  });

  test('becomes no region before it is migrated', async () => {
    const settings = { DATABASE_URL: on.region.urlOf('empty') };
    await expect(isolated(settings, 'add', '--name', 'asia')).rejects.toThrow(/The region: .+node dist\/migrate\.js/);
    await expect(isolated(settings, 'status')).rejects.toThrow('is no region');
  });

  test('is no primary', async () => {
    const settings = { PRIMARY_DATABASE_URL: on.primary.urlOf('empty') };
    await expect(isolated(settings, 'add', '--name', 'eu')).rejects.toThrow(/The primary: .+node dist\/migrate\.js/);
  });
});

test.each([
  ['primary', () => on.primary],
  ['region', () => on.region],
])('no region is removed while another command changes it in the %s', async (_, side) => {
  const other = await side().connect();
  try {
    await other.query('SELECT pg_advisory_lock(1668049251, 5)');
    await expect(on.admin('remove', '--name', 'eu')).rejects.toThrow('another command');
    if (side() === on.primary)
      await expect(on.adminOfPrimary('remove', '--name', 'eu')).rejects.toThrow('another command');
  } finally {
    await other.end();
  }
  expect(await slots()).toHaveLength(1);
});

describe('a database that another one has replaced', () => {
  const inSuccessor = (sql: string) => on.region.query(sql, 'successor');
  const add = async () => successor('add', '--name', 'eu', '--subscription-url', await on.primaryForProcesses());
  const successor = async (...args: string[]): Promise<Record<string, unknown>> => {
    const settings = { ...on.environment, DATABASE_URL: on.region.urlOf('successor') };
    return JSON.parse(await run('admin', settings, 'region', ...args, '--json')) as Record<string, unknown>;
  };

  beforeAll(async () => {
    await disconnect();
    await on.region.query('CREATE DATABASE successor');
    expect(await add()).toMatchObject({ region: { state: 'added' } });
    await on.untilSlotIs('active');
  });

  test('is rebuilt when it becomes the region again, because its successor received changes', async () => {
    await on.api('POST', links, { name: 'B', custom_path: 'b', desktop_url: 'https://example.com/' });
    await until(async () => (await inSuccessor("SELECT FROM dynamic_links WHERE custom_path = 'b'")).length === 1);
    await inSuccessor('ALTER SUBSCRIPTION signpost_region DISABLE');
    await on.untilSlotIs('inactive');
    expect(await on.add()).toMatchObject({ region: { state: 'rebuilt', code: 1 } });
    await on.untilEqual();
    await disconnect();
    expect(await add()).toMatchObject({ region: { state: 'rebuilt' } });
    await on.untilSlotIs('active');
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
    await on.untilReplicating(() => successor('status'));
  });
});

test('a region that the primary does not know is as old as its data', async () => {
  const [data] = await on.region.query<{ age: number }>(
    'SELECT extract(epoch FROM clock_timestamp() - heartbeat_at)::float8 AS age FROM regions',
  );
  const { region } = (await on.admin('status')) as { region: { lag_seconds: number } };
  expect(region).toMatchObject({ primary: 'up', slot: { name: 'eu', code: null, slot: 'unregistered' } });
  expect(region.lag_seconds).toBeGreaterThan(data!.age);
});
