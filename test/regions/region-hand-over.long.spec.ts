import { handOver } from '../../src/regions/remove-region';
import { PgDeferredLinkRepository } from '../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { newToken } from '../../src/link-traffic/deferred-links/deferred-link';
import { timeLimits } from '../../src/platform/postgres/time-limits';
import { TwoDatabases } from '../support/two-databases';

let on: TwoDatabases;
const { statement, query } = timeLimits;
beforeAll(async () => {
  on = await TwoDatabases.create();
  Object.assign(timeLimits, { statement: 200, query: 300 });
});
afterAll(async () => {
  Object.assign(timeLimits, { statement, query });
  await on.drop();
});

test('tokens are handed over although a statement takes longer than a request may', async () => {
  await new PgDeferredLinkRepository(on.pools.region).insertAll([
    {
      token: newToken(on.code),
      projectId: on.projectId,
      dynamicLinkId: on.linkId,
      visitedAtMs: performance.now(),
      lifetimeMs: 3_600_000,
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
