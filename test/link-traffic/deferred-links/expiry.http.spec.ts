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
});
