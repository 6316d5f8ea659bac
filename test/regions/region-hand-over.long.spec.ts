import { handOver } from '../../src/regions/remove-region';
import { PgAppEventRepository } from '../../src/clicks/app-events/pg-app-event.repository';
import { PgClickIdRepository } from '../../src/clicks/conversions/pg-click-id.repository';
import { PgClickDeliveries } from '../../src/regions/pg-click-deliveries';
import { PgDeferredLinkRepository } from '../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { newToken, primaryCode } from '../../src/link-traffic/deferred-links/deferred-link';
import { PgMovedLinkRepository } from '../../src/link-traffic/deferred-links/pg-moved-link.repository';
import { PgLinkUsesRepository } from '../../src/link-traffic/visits/pg-link-uses.repository';
import { timeLimits } from '../../src/platform/postgres/time-limits';
import { newId } from '../../src/shared/id';
import { TwoDatabases } from '../support/two-databases';
import { fixture } from '../support/fixtures';

const { statement, query } = timeLimits;
const on = fixture(() => TwoDatabases.create());
beforeAll(async () => {
  Object.assign(timeLimits, { statement: 200, query: 300 });
});
afterAll(() => Object.assign(timeLimits, { statement, query }));

test('opens of a region count once in the primary, however often they are delivered', async () => {
  const open = (id: string) => ({
    event: 'open' as const,
    digest: Buffer.from(id),
    projectId: on.projectId,
    dynamicLinkId: on.linkId,
    at: Date.now(),
    platform: 'ios' as const,
    version: '1.0',
    country: '',
    variant: '',
    browser: '',
    times: 1,
  });
  await on.region.query("INSERT INTO this_region (code, name, writer) VALUES ($1, 'eu', $2)", [on.code, on.writer]);
  const inRegion = new PgAppEventRepository(on.pools.region);
  const deliveries = new PgClickDeliveries(on.pools.region, on.pools.primaryOfRegion, on.writer);
  for (const ids of [['one', 'two', 'two'], ['two', 'three'], ['one']]) {
    await inRegion.record(ids.map(open));
    await deliveries.deliver('0');
    expect(await deliveries.countUndelivered()).toBe(0);
  }
  expect(await on.primary.query('SELECT sum(times)::int AS times FROM app_event_sums')).toEqual([{ times: 3 }]);
  expect(await on.region.query('SELECT FROM app_event_sums')).toEqual([]);
  // A failover of the primary loses its last transactions.
  await on.primary.query("DELETE FROM app_event_ids WHERE digest <> 'one'");
  await on.primary.query('UPDATE app_event_sums SET times = 1');
  for (const [delivered, times, kept] of [
    ['59 minutes', 1, 3],
    ['61 minutes', 3, 0],
  ] as const) {
    await on.region.query('UPDATE app_event_deliveries SET delivered_at = now() - $1::interval', [delivered]);
    await deliveries.deliver('0');
    expect(await on.primary.query('SELECT sum(times)::int AS times FROM app_event_sums')).toEqual([{ times }]);
    expect(await on.region.query('SELECT FROM app_event_deliveries')).toHaveLength(kept);
  }
});

test('click ids of a region reach the primary once, and again after an hour', async () => {
  const idOf = (digest: string) => ({
    digest: Buffer.from(digest),
    projectId: on.projectId,
    dynamicLinkId: on.linkId,
    shortLinkId: null,
    platform: 'ios',
    variant: 'A',
    day: '2026-11-30',
  });
  const inRegion = new PgClickIdRepository(on.pools.region);
  const deliveries = new PgClickDeliveries(on.pools.region, on.pools.primaryOfRegion, on.writer);
  const stored = () =>
    on.primary.query(
      "SELECT encode(digest, 'escape') AS digest, issued_on::text, expires_on::text FROM click_ids ORDER BY 1",
    );
  for (const ids of [['one', 'two'], ['two']]) {
    await inRegion.record(ids.map(idOf));
    await deliveries.deliver('0');
    expect(await deliveries.countUndelivered()).toBe(0);
  }
  const days = { issued_on: '2026-11-30', expires_on: '2026-12-30' };
  const both = [
    { digest: 'one', ...days },
    { digest: 'two', ...days },
  ];
  expect(await stored()).toEqual(both);
  expect(await on.region.query('SELECT FROM click_ids')).toEqual([]);
  // A failover of the primary loses its last transactions.
  await on.primary.query("DELETE FROM click_ids WHERE digest = 'two'");
  await on.region.query("UPDATE click_id_deliveries SET delivered_at = now() - interval '61 minutes'");
  await deliveries.deliver('0');
  expect(await stored()).toEqual(both);
  expect(await on.region.query('SELECT FROM click_id_deliveries')).toEqual([]);
});

test('a process of a region may claim, use up clicks and read pictures in the primary', async () => {
  const { primaryOfRegion, primary } = on.pools;
  await on.primary.query(
    "INSERT INTO link_templates (id, project_id, name, referrer_params) VALUES ($1, $2, 'T', $3)",
    [newId(), on.projectId, '[["utm_source","mail"]]'],
  );
  await on.primary.query("UPDATE dynamic_links SET template = 'T', conversions = true");
  const token = newToken(primaryCode);
  const visit = { token, projectId: on.projectId, dynamicLinkId: on.linkId, visitedAtMs: performance.now() };
  await new PgDeferredLinkRepository(primary).insertAll([
    { ...visit, lifetimeMs: 3_600_000, browser: '', step: 'shown' },
  ]);
  const claims = new PgMovedLinkRepository(primaryOfRegion);
  expect(await claims.find(on.projectId, token)).toMatchObject({ isValid: true });
  expect(await claims.claim(on.projectId, token, primaryCode)).toMatchObject({
    referrerParams: [['utm_source', 'mail']],
    clickId: expect.any(String),
  });
  await on.primary.query('UPDATE dynamic_links SET click_limit = 1');
  const uses = new PgLinkUsesRepository(primaryOfRegion);
  expect(await uses.use(on.linkId)).toBe(true);
  expect(await uses.use(on.linkId)).toBe(false);
  await uses.countEnded([on.linkId]);
  expect(await on.primary.query('SELECT clicks::int, ended_visits::int FROM link_uses')).toEqual([
    { clicks: 1, ended_visits: 1 },
  ]);
  expect((await primaryOfRegion.query('SELECT content FROM pictures')).rows).toEqual([]);
});

test('tokens are handed over although a statement takes longer than a request may', async () => {
  await new PgDeferredLinkRepository(on.pools.region).insertAll([
    {
      token: newToken(on.code),
      projectId: on.projectId,
      dynamicLinkId: on.linkId,
      visitedAtMs: performance.now(),
      lifetimeMs: 3_600_000,
      browser: '',
      step: 'shown',
    },
  ]);
  for (const [database, event] of [
    [on.region, 'UPDATE'],
    [on.primary, 'INSERT'],
  ] as const) {
    await database.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$`);
    await database.query(
      `CREATE TRIGGER slow BEFORE ${event} ON deferred_links FOR EACH STATEMENT EXECUTE FUNCTION wait()`,
    );
  }
  const region = { code: on.code, name: 'eu', writer: on.writer };
  expect(await handOver(region, { region: on.region.url, primary: on.primary.url })).toEqual({
    undelivered_clicks: 0,
    moved_tokens: 1,
    kept_tokens: 0,
    isRegistered: true,
  });
});
