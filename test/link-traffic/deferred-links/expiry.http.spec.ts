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

test('the purge runs concurrently with other purges and claims', async () => {
  await on.database.query('DELETE FROM deferred_links');
  const pool = aPool({ connectionString: on.database.url });
  const errors: unknown[] = [];
  const services = Array.from({ length: 6 }, () => {
    const [links, moved] = [new PgDeferredLinkRepository(pool), new PgMovedLinkRepository(pool)];
    return new DeferredLinksService(links, moved, (error) => errors.push(error));
  });
  /** Inserts rows that expire `fromNow` milliseconds from now, one millisecond apart. */
  const insertRows = (count: number, fromNow: number) =>
    on.database.query(
      `INSERT INTO deferred_links (token_digest, project_id, dynamic_link_id, clicked_at, expires_at)
       SELECT sha256(($1 || '/' || n)::bytea), $2, $3, 'epoch', to_timestamp($4 / 1000.0) + n * interval '1 ms'
       FROM generate_series(1, $5) n`,
      [String(fromNow), campaign.project.id, campaign.link.id, Date.now() + fromNow, count],
    );
  try {
    await insertRows(12_000, -dayMs);
    await insertRows(50, dayMs);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => iosToken(on, campaign)));
    const [answers] = await Promise.all([
      Promise.all(tokens.map((token) => claim(on, campaign.project.subdomain, token))),
      ...services.slice(1).map((service) => service.purge()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
    // One batch may remain, because a purge skips rows that another one has locked.
    await services[0]!.purge();
    expect(await storedTokens(on)).toBe(50);
    expect(errors).toEqual([]);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await pool.end();
  }
});
