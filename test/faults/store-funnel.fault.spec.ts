import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expectedCounts, journeys, type Request, Visitor } from '../link-traffic/store-simulation';
import { Cluster } from '../support/cluster';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { scaled } from '../support/scale';

// Visits and first launches with known outcomes, while their service is killed twice. Each step must count exactly once. An answer leaves the
// process before its token is written, so no page counts that nobody saw. A page whose token was lost did not count, and its visitor comes again.
// Requests without an answer are repeated, as are those whose answer came before their event was written.
jest.setTimeout(7_200_000);

const visits = Number(process.env['FUNNEL_VISITS'] ?? scaled(100_000));
const kills = 2;
const clients = 40;

/** An answer that comes sooner is stored, because the service waits 300 ms for that. */
const storedWithinMs = 250;

let cluster: Cluster;
/** The process that serves now or soon. */
let serving: Promise<Program>;
let environment: Record<string, string>;
beforeAll(async () => {
  cluster = await Cluster.create();
  environment = { DATABASE_URL: cluster.url, TRUSTED_PROXIES: '127.0.0.1' };
  serving = Program.serving(environment);
  const service = await serving;
  const { key } = (await anAccountByShell({ DATABASE_URL: cluster.url }, 'enterprise')).api_key;
  const post = async (path: string, body: object) =>
    String((await service.ask(`/api/v1/projects${path}`, { method: 'POST', key, body })).json.data['id']);
  const project = await post('', { name: 'Funnel', subdomain: 'funnel' });
  const ios_app_id = await post(`/${project}/ios-apps`, {
    name: 'Shop',
    bundle_id: 'com.example.shop',
    team_id: 'ABCDE12345',
    appstore_id: '1234567890',
  });
  const android_app_id = await post(`/${project}/android-apps`, {
    name: 'Shop',
    package_name: 'com.example.shop',
    sha_fingerprints: [Array(32).fill('AB').join(':')],
  });
  const fields = { ios_app_id, android_app_id, ios_deferred_deep_link: true };
  await post(`/${project}/links`, { name: 'Summer', custom_path: 'summer', ...fields });
});
afterAll(async () => {
  await endAllPrograms();
  await cluster.remove();
});

/** Sends a request until a service answers it. A prefetch is refused with 503. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Request) {
  for (;;) {
    const service = await serving;
    const options = { method, headers: { Host: 'funnel.localhost', ...headers } };
    const answer = await service.ask(path, body ? { ...options, body } : options);
    if (answer.status !== 0 && (answer.status !== 503 || 'Sec-Purpose' in headers)) return answer;
    await delay(20);
  }
}

/** Works on the items, from the last to the first, by so many clients. */
const inParallel = <T>(items: T[], work: (item: T) => Promise<unknown>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: clients }, async () => {
      for (let item = items.pop(); item !== undefined; item = items.pop()) await work(item);
    }),
  );

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const storedDigests = async (): Promise<string[]> =>
  (await cluster.query<{ digest: string }>("SELECT encode(token_digest, 'hex') AS digest FROM deferred_links")).map(
    ({ digest }) => digest,
  );

/** Visits again for tokens whose service was killed before it stored them. */
async function repeatLost(visitor: Visitor): Promise<void> {
  for (;;) {
    await delay(1000);
    const stored = new Set(await storedDigests());
    const lost = visitor.visits.filter(({ token }) => !stored.has(digestOf(token)));
    if (lost.length === 0) return;
    await inParallel(lost, async (visit) => (visit.token = (await visit.again())!));
  }
}

test('each step and each outcome counts once, although the service is killed twice', async () => {
  const visitor = new Visitor(
    ask,
    '/summer',
    (answer) => (answer as unknown as { took: number }).took < storedWithinMs,
  );
  const order = Array.from({ length: visits }, (_, at) => at);
  const working = inParallel(order, (at) => visitor.make(at));
  for (let killed = 1; killed <= kills; killed++) {
    const left = (visits * (kills + 1 - killed)) / (kills + 1);
    // A failed visit ends the test.
    while (order.length > left) await Promise.race([delay(5), working]);
    const service = await serving;
    serving = service.kill().then(() => Program.serving(environment));
    await serving;
  }
  await working;
  await inParallel([...visitor.unsure], ([path, request]) => ask(path, request));
  await repeatLost(visitor);
  await (await serving).stop();
  const received = new Set([...visitor.received].map(digestOf));
  expect((await storedDigests()).filter((digest) => !received.has(digest))).toEqual([]);
  const rows = await cluster.query<{ name: string; times: number }>(
    `SELECT concat_ws(' ', platform, nullif(browser, ''), event) AS name, sum(times)::int AS times FROM app_event_sums
     WHERE event NOT IN ('open', 'claim') GROUP BY 1`,
  );
  const times = (at: number) => Math.ceil((visits - at) / journeys.length);
  expect(Object.fromEntries(rows.map(({ name, times }) => [name, times]))).toEqual(expectedCounts(times));
});
