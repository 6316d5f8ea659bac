import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../support/cluster';
import { eventually, until } from '../support/eventually';
import { Program, run } from '../support/process';
import { twoRegionsFixture } from '../support/region';
import { Release } from '../support/release';
import { SteadyClock } from '../support/steady-clock';
import { atEndOfTest } from '../support/end-of-test';
import { RegionalShop } from './regional-shop';
import { fixture } from '../support/fixtures';

// The life of a region, with real servers and processes. Each test continues where the one before ended.

/** How long the primary is down. Nothing depends on it, as OUTAGE_SECONDS=600 shows. */
const outageMs = Number(process.env['OUTAGE_SECONDS'] ?? 2) * 1000;
if (outageMs > 60_000) jest.setTimeout(600_000 + outageMs);

/** A region must serve a change within this time after it arrived in its database. */
const maxDelayMs = 1000;

const on = twoRegionsFixture();
const pinging = fixture(
  () => on.region.connect(),
  (client) => client.end(),
);
/** Measures the second without the stalls of a busy machine. */
const clock = fixture(() => new SteadyClock(() => pinging.query('SELECT')));
const shop = new RegionalShop(() => on);
const { ids } = shop;
const aLink = shop.aLink.bind(shop);
const visit = (path: string) => shop.visit(path);
const visitors = shop.visitors.bind(shop);
const claimAt = shop.claimAt.bind(shop);
const clicksOf = shop.clicksOf.bind(shop);
const aToken = () => shop.aToken('app', on.service, on.region);

beforeAll(async () => {
  await shop.create();
  for (const path of ['known', 'changed', 'deleted', 'moved', 'disabled', 'other']) await aLink(path);
});

const unchanged = { known: ['https://example.com/known'], other: ['https://example.com/other'], missing: ['404'] };

interface Change {
  make: () => Promise<unknown>;
  /** SQL that returns a row as soon as the region has the change. */
  arrived: string;
  look: () => Promise<string>;
  before: string;
  after: string;
}

/** Makes a change in the primary, and returns how long the region served the former state after the change had arrived. */
async function servedLate({ make, arrived, look, before, after }: Change): Promise<number> {
  for (let times = 0; times < 3; times++) expect(await look()).toBe(before);
  const client = await on.region.connect();
  try {
    await make();
    await until(async () => (await client.query(arrived)).rows.length > 0);
    const arrivedAt = clock.now();
    for (;;) {
      const askedAt = clock.now();
      const answer = await look();
      if (answer === after) return askedAt - arrivedAt;
      expect(answer).toBe(before);
      if (askedAt - arrivedAt > maxDelayMs) throw new Error(`served ${before} for ${askedAt - arrivedAt} ms`);
      await delay(5);
    }
  } finally {
    await client.end();
  }
}

/** Expects an answer within a second from now, when all changes have arrived. */
const servesSoon = (look: () => Promise<string>, expected: string) =>
  eventually(async () => (await look()) === expected, maxDelayMs, clock.now);

test('a process refuses a database that is no region', async () => {
  const program = new Program('main', on.environment);
  expect(await program.exit).toMatchObject({ code: 1 });
  expect(program.stderr).toContain('is no region; run "admin region add --name NAME"');
});

const add = (environment: Record<string, string>) => run('admin', environment, 'region', 'add', '--name', 'eu');

test('region add refuses a database with projects, and other names for a region', async () => {
  await on.region.query('CREATE DATABASE other');
  const environment = { ...on.environment, DATABASE_URL: on.region.urlOf('other') };
  await run('migrate', { DATABASE_URL: environment.DATABASE_URL });
  await on.region.query("INSERT INTO accounts (id, name, plan) VALUES (gen_random_uuid(), 'A', 'pro')", 'other');
  await on.region.query(
    "INSERT INTO projects (id, account_id, user_id, name, subdomain) SELECT gen_random_uuid(), id, id, 'P', 'own' FROM accounts",
    'other',
  );
  await expect(add(environment)).rejects.toThrow('has projects and is no region. Use an empty database.');
  expect(await on.primary.query('SELECT FROM pg_replication_slots')).toEqual([]);
  const swapped = { ROLE: 'traffic', DATABASE_URL: on.primary.url, PRIMARY_DATABASE_URL: on.region.url };
  await expect(add(swapped)).rejects.toThrow('wal_level is replica. Set wal_level = logical');
  const same = { ...on.environment, DATABASE_URL: on.primary.url };
  await expect(add(same)).rejects.toThrow('lead to the same database');
  await expect(run('admin', on.environment, 'key', 'list', '--account', shop.project.slice(-36))).rejects.toThrow(
    'are in the primary',
  );
});

test('region add copies what visits need, and nothing of accounts and keys', async () => {
  const { region } = await on.add();
  expect(region).toMatchObject({ name: 'eu', code: 1, state: 'added', tables: { projects: { rows: 1, changed: 1 } } });
  await on.untilEqual();
  const secrets = await on.region.query(
    'SELECT (SELECT count(*)::int FROM accounts) AS accounts, (SELECT count(*)::int FROM api_keys) AS keys, (SELECT count(*)::int FROM users) AS users',
  );
  expect(secrets).toEqual([{ accounts: 0, keys: 0, users: 0 }]);
  await on.serve();
  expect(await visit('known')).toBe('https://example.com/known');
  expect(await visit('missing')).toBe('404');
});

test('another installation on the server of the primary cannot take the name of the region, nor remove it', async () => {
  await on.primary.query('CREATE DATABASE staging');
  await on.region.query('CREATE DATABASE staging_eu');
  const urls = { DATABASE_URL: on.region.urlOf('staging_eu'), PRIMARY_DATABASE_URL: on.primary.urlOf('staging') };
  const staging = { ...on.environment, ...urls };
  await run('migrate', { DATABASE_URL: staging.PRIMARY_DATABASE_URL });
  await expect(add(staging)).rejects.toThrow('the slot signpost_eu is that of the database');
  const settings = { DATABASE_URL: staging.PRIMARY_DATABASE_URL };
  const removed = await run('admin', settings, 'region', 'remove', '--name', 'eu', '--json');
  expect(JSON.parse(removed)).toMatchObject({ region: { slot: 'missing' } });
  await on.untilSlotIs('active');
});

test('region add once more changes nothing', async () => {
  expect(await on.add()).toEqual({ region: { name: 'eu', code: 1, state: 'kept' } });
  await expect(on.admin('add', '--name', 'us')).rejects.toThrow('is the region eu, not us');
});

describe('a change is served within a second after it arrived', () => {
  const changes: Record<string, () => Change> = {
    'a link that is created': () => ({
      make: () => aLink('created'),
      arrived: "SELECT FROM link_paths WHERE path = 'created'",
      look: () => visit('created'),
      before: '404',
      after: 'https://example.com/created',
    }),
    'a link that leads elsewhere': () => ({
      make: () => on.api('PUT', `${shop.links}/${ids['changed']}`, { desktop_url: 'https://example.com/new' }),
      arrived: "SELECT FROM dynamic_links WHERE desktop_url = 'https://example.com/new'",
      look: () => visit('changed'),
      before: 'https://example.com/changed',
      after: 'https://example.com/new',
    }),
    'a link that is deleted': () => ({
      make: () => on.api('DELETE', `${shop.links}/${ids['deleted']}`),
      arrived: `SELECT WHERE NOT EXISTS (SELECT FROM dynamic_links WHERE id = '${ids['deleted']}')`,
      look: () => visit('deleted'),
      before: 'https://example.com/deleted',
      after: '404',
    }),
    'a project that is renamed': () => ({
      make: () => on.api('PUT', shop.project, { subdomain: 'store' }),
      arrived: "SELECT FROM projects WHERE subdomain = 'store'",
      look: () => shop.visit('known', { at: 'store.localhost' }),
      before: '404',
      after: 'https://example.com/known',
    }),
    'an app that is added': () => ({
      make: () => shop.anAndroidApp(),
      arrived: 'SELECT FROM android_apps',
      look: async () => {
        const { text } = await on.service.visit('shop', '/.well-known/assetlinks.json');
        return text.includes('com.example.app') ? 'app' : 'none';
      },
      before: 'none',
      after: 'app',
    }),
    'a custom domain that is verified': () => ({
      make: () =>
        on.primary.query(
          `INSERT INTO custom_domains (id, project_id, hostname, challenge, verified_at, next_check_at)
           SELECT gen_random_uuid(), id, 'links.example.com', 'c', now(), now() + interval '1 day' FROM projects`,
        ),
      arrived: 'SELECT FROM custom_domains',
      look: async () => (await shop.visit('known', { at: 'links.example.com' })).replace('421', 'unknown'),
      before: 'unknown',
      after: 'https://example.com/known',
    }),
    'a statement that changes thousands of links': () => ({
      make: () =>
        on.primary.query(
          `INSERT INTO dynamic_links (id, project_id, name, custom_path, desktop_url)
           SELECT gen_random_uuid(), projects.id, 'many', 'many-' || number, 'https://example.com/many'
           FROM projects, generate_series(1, 3000) AS number;
           UPDATE dynamic_links SET desktop_url = 'https://example.com/all' WHERE name IN ('many', 'created')`,
        ),
      arrived: "SELECT FROM dynamic_links WHERE desktop_url = 'https://example.com/all'",
      look: () => visit('created'),
      before: 'https://example.com/created',
      after: 'https://example.com/all',
    }),
  };

  test.each(Object.entries(changes))('%s', async (what, change) => {
    const stop = visitors(unchanged);
    const late = await servedLate(change());
    expect(await stop()).toBeGreaterThan(0);
    console.info(`${what}: served ${Math.round(late)} ms after it arrived`);
    expect(late).toBeLessThan(maxDelayMs);
  });
});

test('a click limit is that of the region and the primary together, and both learn its end', async () => {
  await aLink('limited', { click_limit: 3 });
  await eventually(async () => (await visit('limited')) === '200');
  const host = { Host: 'shop.localhost' };
  const forms = Array.from({ length: 10 }, (_, at) =>
    (at % 2 === 0 ? on.service : on.home).ask('/limited', { method: 'POST', headers: host }),
  );
  const statuses = (await Promise.all(forms)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array<number>(3).fill(303), ...Array<number>(7).fill(410)]);
  await eventually(async () => (await visit('limited')) === '410');
  // A visit after the end counts in the primary.
  const lifeOf = () => on.api('GET', `${shop.links}/${ids['limited']}/life`);
  await eventually(async () => Number((await lifeOf())['ended_visits']) > 0);
  expect(await lifeOf()).toMatchObject({ state: 'used_up', clicks_used: 3 });
});

test('a migration that inserts rows leaves replicated tables alone', async () => {
  await on.region.query("INSERT INTO subdomains (name, left_at) VALUES ('inserted-here', now())");
  expect(await on.region.query("SELECT FROM subdomains WHERE name = 'inserted-here'")).toEqual([]);
});

test('status, health and metrics report the lag', async () => {
  await on.untilReplicating();
  await until(async () => {
    const { region } = (await on.admin('status')) as { region: { lag_seconds: number } };
    return region.lag_seconds < 5;
  });
  await on.untilSlotIs('active');
  expect(await on.adminOfPrimary('status')).toMatchObject({ regions: [{ name: 'eu', code: 1 }] });
  await until(async () => (await on.checks())['replication'] === 'current');
  expect(await on.checks()).toMatchObject({ ready: '200' });
  await until(async () => (await on.metric('signpost_region_lag_seconds')) < 10);
  await until(async () => (await on.metric('signpost_region_primary_up')) === 1);
  await until(async () => (await metricOfPrimary('signpost_region_connected')) === 1);
  expect(await metricOfPrimary('signpost_region_retained_wal_bytes')).toBeGreaterThanOrEqual(0);
});

const metricOfPrimary = (name: string) => on.metric(`${name}{region="eu"}`, on.homeMetricsPort);

test('clicks are counted once in the primary, and their moments stay in the region', async () => {
  await aLink('counted');
  await on.untilEqual();
  for (let visits = 0; visits < 50; visits++) expect(await visit('counted')).toBe('https://example.com/counted');
  await untilDelivered();
  expect(await clicksOf('counted')).toBe(50);
  const moments = (cluster: Cluster) =>
    cluster.query<{ exact: number }>(
      `SELECT count(*) FILTER (WHERE clicked_at <> date_bin('15 minutes', clicked_at, 'epoch'))::int AS exact
       FROM single_clicks WHERE dynamic_link_id = '${ids['counted']!}'`,
    );
  expect((await moments(on.primary))[0]!.exact).toBe(0);
  expect((await moments(on.region))[0]!.exact).toBeGreaterThan(40);
});

/** Waits until the region has written all clicks, and the primary has counted them. */
async function untilDelivered(): Promise<void> {
  const waiting = `SELECT FROM fresh_click_batches UNION ALL SELECT FROM click_deliveries WHERE delivered_at IS NULL`;
  // In this order, because a click leaves the memory for the first table, and that one for the second.
  await until(
    async () => (await on.metric('signpost_clicks_waiting')) === 0 && (await on.region.query(waiting)).length === 0,
  );
}

test('a network that is cut and healed loses no change, and visits go on', async () => {
  const stop = visitors(unchanged);
  on.network.cutNetwork();
  for (let at = 0; at < 20; at++) await aLink(`during-${at}`);
  await on.api('PUT', `${shop.links}/${ids['during-0']}`, { desktop_url: 'https://example.com/changed-during' });
  await on.api('DELETE', `${shop.links}/${ids['during-1']}`);
  await until(async () => (await on.checks())['replication'] === 'behind');
  expect(await on.checks()).toMatchObject({ ready: '200' });
  await until(async () => (await on.metric('signpost_region_primary_up')) === 0);
  expect(await on.metric('signpost_region_lag_seconds')).toBeGreaterThan(10);
  await until(async () => (await metricOfPrimary('signpost_region_connected')) === 0);
  expect(await metricOfPrimary('signpost_region_retained_wal_bytes')).toBeGreaterThan(0);
  expect(await visit('during-0')).toBe('404');
  on.network.restoreNetwork();
  await on.untilEqual();
  await servesSoon(() => visit('during-0'), 'https://example.com/changed-during');
  expect(await visit('during-1')).toBe('404');
  await until(async () => (await on.checks())['replication'] === 'current');
  expect(await stop()).toBeGreaterThan(0);
});

describe('tokens of deferred links', () => {
  let replica: Program;
  beforeAll(async () => {
    const [app] = await on.primary.query<{ id: string }>('SELECT id FROM android_apps');
    await aLink('app', { android_app_id: app!.id, desktop_url: undefined });
    await on.untilEqual();
    replica = await on.replica();
  });

  test('of parallel claims everywhere, one gets the link', async () => {
    for (let round = 0; round < 3; round++) {
      const token = await aToken();
      const services = [on.service, replica, on.home, on.service, on.home, replica];
      const answers = await Promise.all(services.map((service) => claimAt(service, token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
    }
  });

  afterAll(() => replica.stop());
});

/** Waits until the service of the primary has found it again. */
const untilHomeIsReady = () => until(async () => (await on.home.ask('/health/ready')).status === 200);

test('visits, clicks and tokens go on while the primary is down, and clicks count once afterwards', async () => {
  await untilDelivered();
  const before = await clicksOf('known');
  const stop = visitors({ known: unchanged.known });
  await on.primary.stop();
  // In its database, not in its cache.
  expect(await visit('during-2')).toBe('https://example.com/during-2');
  const tested = await on.service.ask('/during-2?_via=test', { headers: { Host: 'shop.localhost' } });
  expect([tested.status, tested.text]).toEqual([200, expect.stringContaining('https://example.com/during-2')]);
  expect((await claimAt(on.service, await aToken())).status).toBe(200);
  const foreign = await aToken();
  const end = performance.now() + outageMs;
  for (let at = 0; performance.now() < end; at++) {
    expect(await visit(`not-in-a-cache-${at}`)).toBe('404');
    await delay(100);
  }
  await until(async () => (await on.metric('signpost_region_clicks_undelivered')) > 0);
  const visits = await stop();
  await on.primary.start();
  await untilHomeIsReady();
  await untilDelivered();
  expect(await clicksOf('known')).toBe(before + visits);
  expect((await claimAt(on.home, foreign)).status).toBe(200);
  await aLink('after-outage');
  await on.untilEqual();
  expect(await visit('after-outage')).toBe('https://example.com/after-outage');
});

test('after a failover that lost transactions, the region follows the new primary, and its clicks are delivered again', async () => {
  await aLink('kept');
  await on.untilEqual();
  const data = join(on.primary.dataDir, 'cluster');
  const copy = `${data}-standby`;
  await on.primary.stop();
  execFileSync('cp', ['-a', data, copy]);
  await on.primary.start();
  await untilHomeIsReady();
  await aLink('lost');
  await on.untilEqual();
  expect(await visit('lost')).toBe('https://example.com/lost');
  for (let visits = 0; visits < 10; visits++) expect(await visit('kept')).toBe('https://example.com/kept');
  await untilDelivered();
  expect(await clicksOf('kept')).toBe(10);
  await on.primary.stop();
  rmSync(data, { recursive: true });
  renameSync(copy, data);
  await on.primary.start();
  await untilHomeIsReady();
  await until(async () => (await clicksOf('kept')) === 10);
  expect(await visit('lost')).toBe('https://example.com/lost');
  const stop = visitors(unchanged);
  await on.add('--rebuild');
  await servesSoon(() => visit('lost'), '404');
  await aLink('after-failover');
  await on.untilEqual();
  expect(await visit('after-failover')).toBe('https://example.com/after-failover');
  expect(await stop()).toBeGreaterThan(0);
  await untilDelivered();
  expect(await clicksOf('kept')).toBe(10);
});

describe('a schema change', () => {
  const addColumn = (name: string) => `ALTER TABLE dynamic_links ADD COLUMN ${name} text`;
  const write = (name: string) =>
    on.primary.query(
      `UPDATE dynamic_links SET ${name} = 'new', desktop_url = 'https://example.com/${name}' WHERE id = '${ids['other']!}'`,
    );

  test('of the next release interrupts nothing, if the region has it first', async () => {
    const migration = `
      ALTER TABLE dynamic_links ADD COLUMN first text NOT NULL DEFAULT '';
      UPDATE dynamic_links SET first = name;
      INSERT INTO subdomains (name, left_at) VALUES ('reserved', now());`;
    const next = new Release((migrations) => writeFileSync(join(migrations, '9999-next-release.sql'), migration));
    atEndOfTest(() => next.remove());
    const stop = visitors({ known: unchanged.known, missing: unchanged.missing });
    await next.run('migrate', { DATABASE_URL: on.region.url });
    await aLink('between-releases');
    await until(async () => (await visit('between-releases')) === 'https://example.com/between-releases');
    await next.run('migrate', { DATABASE_URL: on.primary.url });
    await write('first');
    await on.untilEqual();
    await servesSoon(() => visit('other'), 'https://example.com/first');
    expect(await on.region.query("SELECT FROM subdomains WHERE name = 'reserved'")).toHaveLength(1);
    expect(await stop()).toBeGreaterThan(0);
  });

  test('that comes to the primary first stops replication, not visits, and loses nothing', async () => {
    await on.primary.query(addColumn('second'));
    await write('second');
    await aLink('after-second');
    await until(async () => {
      const [row] = await on.region.query<{ errors: number }>(
        'SELECT apply_error_count::int AS errors FROM pg_stat_subscription_stats',
      );
      return row!.errors > 0;
    });
    expect(await visit('other')).toBe('https://example.com/first');
    expect(await visit('after-second')).toBe('404');
    await on.region.query(addColumn('second'));
    await on.untilEqual();
    await servesSoon(() => visit('other'), 'https://example.com/second');
    expect(await visit('after-second')).toBe('https://example.com/after-second');
    await on.api('PUT', `${shop.links}/${ids['other']}`, { desktop_url: 'https://example.com/other' });
    await on.untilEqual();
  });
});

test('a rebuild after the primary kept too little has no wrong answer for visits, and all changes since', async () => {
  const stop = visitors(unchanged);
  await on.region.query('ALTER SUBSCRIPTION signpost_region DISABLE');
  await until(async () => {
    const [slot] = await on.primary.query<{ active: boolean }>('SELECT active FROM pg_replication_slots');
    return !slot!.active;
  });
  await on.primary.query("ALTER SYSTEM SET max_slot_wal_keep_size = '1MB'");
  await on.primary.query('SELECT pg_reload_conf()');
  for (let segment = 0; segment < 3; segment++)
    await on.primary.query("SELECT pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()");
  await on.primary.query('CHECKPOINT');
  await on.api('PUT', `${shop.links}/${ids['during-2']}`, { desktop_url: 'https://example.com/after-loss' });
  await on.api('PUT', `${shop.links}/${ids['during-3']}`, { custom_path: 'freed' });
  await aLink('during-3', { desktop_url: 'https://example.com/reused' });
  await on.api('DELETE', `${shop.links}/${ids['during-4']}`);
  for (const path of ['during-2', 'during-3', 'during-4'])
    expect(await visit(path)).toBe(`https://example.com/${path}`);
  expect(await on.adminOfPrimary('status')).toMatchObject({ regions: [{ name: 'eu', slot: 'lost' }] });
  await on.primary.query('ALTER SYSTEM RESET max_slot_wal_keep_size');
  await on.primary.query('SELECT pg_reload_conf()');
  const { region } = (await on.add()) as { region: { state: string } };
  expect(region.state).toBe('rebuilt');
  const answers = async () =>
    (await Promise.all(['during-2', 'during-3', 'during-4', 'freed'].map((path) => visit(path)))).join();
  const expected = [
    'https://example.com/after-loss',
    'https://example.com/reused',
    '404',
    'https://example.com/during-3',
  ];
  await servesSoon(answers, expected.join());
  await on.untilEqual();
  await aLink('after-rebuild');
  await on.untilEqual();
  await servesSoon(() => visit('after-rebuild'), 'https://example.com/after-rebuild');
  expect(await stop()).toBeGreaterThan(0);
});

test('region remove hands over clicks and tokens, and leaves no slot', async () => {
  await aLink('last');
  await on.untilEqual();
  const token = await aToken();
  await visit('last');
  await on.service.stop();
  const { region } = (await on.admin('remove', '--name', 'eu')) as { region: Record<string, unknown> };
  const dropped = { subscription: 'dropped', slot: 'dropped', registration: 'removed' };
  expect(region).toMatchObject({ undelivered_clicks: 0, ...dropped });
  expect(region['moved_tokens']).toBeGreaterThan(0);
  expect(await on.primary.query('SELECT FROM pg_replication_slots')).toEqual([]);
  expect(await on.region.query('SELECT FROM pg_subscription')).toEqual([]);
  expect(await on.adminOfPrimary('status')).toEqual({ regions: [] });
  expect((await claimAt(on.home, token)).status).toBe(200);
  expect((await claimAt(on.home, token)).status).toBe(404);
  expect(await clicksOf('last')).toBe(1);
  expect(await on.admin('remove', '--name', 'eu')).toMatchObject({
    region: { subscription: 'missing', slot: 'missing', registration: 'missing' },
  });
});

test('region remove is refused while clicks cannot be delivered', async () => {
  await on.add();
  await on.serve();
  const counted = await clicksOf('known');
  const client = await on.region.connect();
  // As if another process made a delivery.
  await client.query('SELECT pg_advisory_lock(1668049251, 2)');
  await visit('known');
  await on.service.stop();
  await expect(on.admin('remove', '--name', 'eu')).rejects.toThrow(
    'The region: it still has content. Undelivered clicks: 1, tokens: 0. Stop its processes',
  );
  await on.untilSlotIs('active');
  await client.end();
  expect(await on.admin('remove', '--name', 'eu')).toMatchObject({
    region: { undelivered_clicks: 0, subscription: 'dropped', slot: 'dropped', registration: 'removed' },
  });
  expect(await clicksOf('known')).toBe(counted + 1);
});

test('region remove works if one side is gone', async () => {
  await on.add();
  await on.serve();
  await aToken();
  await on.service.stop();
  expect(await on.adminOfPrimary('remove', '--name', 'eu')).toMatchObject({
    region: { slot: 'dropped', registration: 'removed', subscription: 'unknown' },
  });
  await expect(on.admin('remove', '--name', 'eu')).rejects.toThrow(/does not know the region\. .+, tokens: 1\./);
  await on.closeNetwork();
  await expect(on.admin('remove', '--name', 'eu')).rejects.toThrow('Nothing is removed.');
  expect(await on.region.query('SELECT FROM pg_subscription')).toHaveLength(1);
  expect(await on.admin('remove', '--name', 'eu', '--force')).toMatchObject({
    region: { subscription: 'dropped', slot: 'unknown', registration: 'unknown' },
  });
  expect(await on.primary.query('SELECT FROM pg_replication_slots')).toEqual([]);
  expect(await on.region.query('SELECT FROM pg_subscription')).toEqual([]);
});
