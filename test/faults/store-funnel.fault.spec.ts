import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expectedCounts, journeys, type Request, Visitor } from '../link-traffic/store-simulation';
import { scaled } from '../support/scale';
import { inTurns, useInstallation } from './installation';

// Visits and first launches with known outcomes, while their service is killed twice. Each step must count exactly once. An answer leaves the
// process before its token is written, so no page counts that nobody saw. A page whose token was lost did not count, and its visitor comes again.
// Requests without an answer are repeated, as are those whose answer came before their event was written.
jest.setTimeout(7_200_000);

const visits = Number(process.env['FUNNEL_VISITS'] ?? scaled(100_000));
const clients = 40;

/** An answer that comes sooner is stored, because the service waits 300 ms for that. */
const storedWithinMs = 250;

const on = useInstallation('funnel', { environment: () => ({ TRUSTED_PROXIES: '127.0.0.1' }) });
beforeAll(async () => {
  const ios_app_id = await on.create(`${on.project}/ios-apps`, {
    name: 'Shop',
    bundle_id: 'com.example.shop',
    team_id: 'ABCDE12345',
    appstore_id: '1234567890',
  });
  const apps = { ios_app_id, android_app_id: await on.createAndroidApp(), desktop_url: undefined };
  await on.createLink('summer', { ...apps, ios_deferred_deep_link: true });
});

const ask = (path: string, { method = 'GET', headers = {}, body }: Request) => {
  const options = { method, headers: { Host: 'funnel.localhost', ...headers }, ...(body && { body }) };
  // A prefetch is refused with 503.
  return on.ask(path, options, () => 'Sec-Purpose' in headers);
};

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const storedDigests = async (): Promise<string[]> =>
  (await on.cluster.query<{ digest: string }>("SELECT encode(token_digest, 'hex') AS digest FROM deferred_links")).map(
    ({ digest }) => digest,
  );

/** Visits again for tokens whose service was killed before it stored them. */
async function repeatLost(visitor: Visitor): Promise<void> {
  for (;;) {
    await delay(1000);
    const stored = new Set(await storedDigests());
    const lost = visitor.visits.filter(({ token }) => !stored.has(digestOf(token)));
    if (lost.length === 0) return;
    await inTurns(clients, lost, async (visit) => (visit.token = (await visit.again())!));
  }
}

test('each step and each outcome counts once, although the service is killed twice', async () => {
  const isStored = (answer: unknown) => (answer as { took: number }).took < storedWithinMs;
  const visitor = new Visitor(ask, '/summer', isStored);
  const order = Array.from({ length: visits }, (_, at) => at);
  await on.killDuring(
    inTurns(clients, order, (at) => visitor.make(at)),
    2,
    () => 1 - order.length / visits,
  );
  await inTurns(clients, [...visitor.unsure], ([path, request]) => ask(path, request));
  await repeatLost(visitor);
  await on.service.stop();
  const received = new Set([...visitor.received].map(digestOf));
  expect((await storedDigests()).filter((digest) => !received.has(digest))).toEqual([]);
  const rows = await on.cluster.query<{ name: string; times: number }>(
    `SELECT concat_ws(' ', platform, nullif(browser, ''), event) AS name, sum(times)::int AS times FROM app_event_sums
     WHERE event NOT IN ('open', 'claim') GROUP BY 1`,
  );
  const times = (at: number) => Math.ceil((visits - at) / journeys.length);
  expect(Object.fromEntries(rows.map(({ name, times }) => [name, times]))).toEqual(expectedCounts(times));
});
