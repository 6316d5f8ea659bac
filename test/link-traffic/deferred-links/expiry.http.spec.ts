import type { Pool } from 'pg';
import { DeferredLinksService } from '../../../src/link-traffic/deferred-links/deferred-links.service';
import { PgDeferredLinkRepository } from '../../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { PgMovedLinkRepository } from '../../../src/link-traffic/deferred-links/pg-moved-link.repository';
import { aService, type TestService } from '../../support/service';
import {
  aCampaign,
  age,
  androidToken,
  type Campaign,
  claim,
  dayMs,
  iosToken,
  minuteMs,
  storedTokens,
  untilStored,
} from './claim-link';
import { aPool } from '../../support/pool';

let on: TestService;
let campaign: Campaign;
beforeAll(async () => {
  on = await aService();
  campaign = await aCampaign(on);
});
afterAll(() => on.stop());

test.each([
  ['iOS', iosToken, 7 * dayMs],
  ['Android', androidToken, 90 * dayMs],
])('a token of %s can be claimed until it expires', async (_, visit, lifetime) => {
  await on.database.query('DELETE FROM deferred_links');
  const inTime = await visit(on, campaign);
  const tooLate = await visit(on, campaign);
  await untilStored(on, 2);
  // The margin covers the duration of the test.
  await age(on, lifetime - minuteMs);
  expect((await claim(on, campaign.project.subdomain, inTime)).status).toBe(200);
  await age(on, minuteMs);
  expect(await claim(on, campaign.project.subdomain, tooLate)).toBeRefusedWith('NOT_FOUND');
});

test('an expired token keeps its row until the purge', async () => {
  await on.database.query('DELETE FROM deferred_links');
  const token = await iosToken(on, campaign);
  await untilStored(on, 1);
  await age(on, 8 * dayMs);
  for (let again = 0; again < 2; again++)
    expect(await claim(on, campaign.project.subdomain, token)).toBeRefusedWith('NOT_FOUND');
});

describe('the purge', () => {
  let pool: Pool;
  const errors: unknown[] = [];
  const started: DeferredLinksService[] = [];
  beforeAll(() => (pool = aPool({ connectionString: on.database.url })));
  afterAll(async () => {
    await Promise.all(started.map((service) => service.stop()));
    await pool.end();
  });
  beforeEach(() => on.database.query('DELETE FROM deferred_links'));

  const aLinksService = (): DeferredLinksService => {
    const service = new DeferredLinksService(
      new PgDeferredLinkRepository(pool),
      new PgMovedLinkRepository(pool),
      (error) => errors.push(error),
    );
    started.push(service);
    return service;
  };

  /** Inserts rows that expire `fromNow` milliseconds from now, one millisecond apart. */
  const insertRows = (count: number, fromNow: number) =>
    on.database.query(
      `INSERT INTO deferred_links (token_digest, project_id, dynamic_link_id, clicked_at, expires_at)
       SELECT sha256(($1 || '/' || n)::bytea), $2, $3, 'epoch', to_timestamp($4 / 1000.0) + n * interval '1 ms'
       FROM generate_series(1, $5) n`,
      [String(fromNow), campaign.project.id, campaign.link.id, Date.now() + fromNow, count],
    );

  test('deletes all expired rows and no others', async () => {
    await insertRows(12_000, -dayMs);
    await insertRows(700, dayMs);
    // They may still be inserted again, after a lost answer.
    await insertRows(30, -59 * minuteMs);
    const alive = await iosToken(on, campaign);
    await aLinksService().purge();
    const [left] = await on.database.query<{ live: number; expired: number }>(
      `SELECT count(*) FILTER (WHERE expires_at > now())::int AS live,
              count(*) FILTER (WHERE expires_at <= now())::int AS expired FROM deferred_links`,
    );
    expect(left!.expired).toBe(30);
    expect(left!.live).toBeGreaterThanOrEqual(700);
    expect((await claim(on, campaign.project.subdomain, alive)).status).toBe(200);
  });

  test('runs concurrently with other purges and claims', async () => {
    await insertRows(12_000, -dayMs);
    await insertRows(50, dayMs);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => iosToken(on, campaign)));
    const [answers] = await Promise.all([
      Promise.all(tokens.map((token) => claim(on, campaign.project.subdomain, token))),
      ...Array.from({ length: 5 }, () => aLinksService().purge()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
    // One batch may remain, because a purge skips rows that another one has locked.
    await aLinksService().purge();
    expect(await storedTokens(on)).toBe(50);
    expect(errors).toEqual([]);
  });

  test('skips locked rows without waiting', async () => {
    await insertRows(3, -dayMs);
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM deferred_links LIMIT 1 FOR UPDATE');
    await aLinksService().purge();
    expect(await storedTokens(on)).toBe(1);
    await client.query('ROLLBACK');
    client.release();
    await aLinksService().purge();
    expect(await storedTokens(on)).toBe(0);
  });

  test('does nothing without expired rows', async () => {
    await insertRows(5, dayMs);
    await aLinksService().purge();
    expect(await storedTokens(on)).toBe(5);
  });
});
