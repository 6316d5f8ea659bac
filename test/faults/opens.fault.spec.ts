import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pixel, referrerOf } from '../link-traffic/deferred-links/claim-link';
import type { Answer } from '../support/ask';
import { Cluster } from '../support/cluster';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { milestonesIn, milestonesUpTo, selectingWebhook } from '../support/milestones';
import { scaled } from '../support/scale';

// Apps that repeat an open or a claim without an answer, while their service is killed. Each must count exactly once.
jest.setTimeout(3_600_000);

const opens = Number(process.env['KILLED_OPENS'] ?? scaled(5000));
const claims = Math.ceil(opens / 10);
const kills = 3;
const clients = 200;

/** An open that is answered sooner is stored, because the service waits 300 ms for that. */
const storedWithinMs = 250;

const headers = { Host: 'opened.localhost' };
let cluster: Cluster;
let service: Program;
let link: string;
beforeAll(async () => {
  cluster = await Cluster.create();
  service = await Program.serving({ DATABASE_URL: cluster.url });
  const { key } = (await anAccountByShell({ DATABASE_URL: cluster.url }, 'enterprise')).api_key;
  const post = async (path: string, body: object) =>
    String((await service.ask(`/api/v1/projects${path}`, { method: 'POST', key, body })).json.data['id']);
  const project = await post('', { name: 'Opened', subdomain: 'opened' });
  const app = await post(`/${project}/android-apps`, {
    name: 'Shop',
    package_name: 'com.example.shop',
    sha_fingerprints: [Array(32).fill('AB').join(':')],
  });
  link = await post(`/${project}/links`, { name: 'A', custom_path: 'a', android_app_id: app });
  await service.ask('/api/v1/account/webhooks', { method: 'POST', key, body: selectingWebhook });
});
afterAll(async () => {
  await endAllPrograms();
  await cluster.remove();
});

/** Sends a request until a service answers it. */
async function ask(path: string, options: Parameters<Program['ask']>[1]): Promise<Answer> {
  for (;;) {
    const answer = await service.ask(path, options);
    if (answer.status !== 0) return answer;
    await delay(20);
  }
}

/** Opens whose answer came late. They may wait for their write, so they are repeated after a kill. */
const unsure: object[] = [];

async function open(
  body: object = {
    url: 'https://opened.localhost/a',
    app: { package_name: 'com.example.shop', version: '1.0' },
    open_id: randomBytes(16).toString('base64url'),
  },
): Promise<void> {
  const answer = await ask('/links/open', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  if (answer.took >= storedWithinMs) unsure.push(body);
}

/** Visits and claims the token until the service answers. The visit's token is lost if the service is killed before its write. */
async function visitAndClaim(): Promise<void> {
  const visited = await ask('/a', { headers: { ...headers, 'User-Agent': pixel } });
  const token = referrerOf(visited.headers.location!).get('deferred_link');
  await ask('/deferred-links/claim', { method: 'POST', headers, body: { token } });
}

test('each open, each claim and each milestone counts once, although the service is killed three times', async () => {
  const tasks: (() => Promise<void>)[] = [
    ...Array.from({ length: opens }, () => () => open()),
    ...Array.from({ length: claims }, () => visitAndClaim),
  ];
  let done = 0;
  // Opens and claims take turns.
  const order = tasks.map((_, at) => tasks[(at * 7919) % tasks.length]!);
  const client = async () => {
    for (let task = order.pop(); task; task = order.pop()) {
      await task();
      done++;
    }
  };
  const working = Promise.all(Array.from({ length: clients }, client));
  for (let killed = 1; killed <= kills; killed++) {
    while (done < (killed * tasks.length) / (kills + 1)) await delay(5);
    await service.kill();
    order.push(...unsure.splice(0).map((body) => () => open(body)));
    service = await Program.serving({ DATABASE_URL: cluster.url });
  }
  await working;
  await service.stop();
  const counted = await cluster.query<{ event: string; times: number }>(
    "SELECT event, sum(times)::int AS times FROM app_event_sums WHERE event IN ('claim', 'open') GROUP BY event ORDER BY event",
  );
  const [claimed] = await cluster.query<{ times: number }>(
    'SELECT count(*)::int AS times FROM deferred_links WHERE expires_at = clicked_at',
  );
  expect(claimed!.times).toBeGreaterThan(0);
  expect(counted).toEqual([
    { event: 'claim', times: claimed!.times },
    { event: 'open', times: opens },
  ]);
  const milestones = await milestonesIn(cluster);
  expect(milestones.get(`${link} claim`)).toBe(milestonesUpTo(claimed!.times));
  expect(milestones.get(`${link} open`)).toBe(milestonesUpTo(opens));
});
