import { randomBytes } from 'node:crypto';
import { pixel, referrerOf } from '../link-traffic/deferred-links/claim-link';
import { milestonesIn, milestonesUpTo, selectingWebhook } from '../support/milestones';
import { scaled } from '../support/scale';
import { inTurns, useInstallation } from './installation';

// Apps that repeat an open or a claim without an answer, while their service is killed. Each must count exactly once.
jest.setTimeout(3_600_000);

const opens = Number(process.env['KILLED_OPENS'] ?? scaled(5000));
const claims = Math.ceil(opens / 10);

/** An open that is answered sooner is stored, because the service waits 300 ms for that. */
const storedWithinMs = 250;

const headers = { Host: 'opened.localhost' };
const on = useInstallation('opened');
let link: string;
beforeAll(async () => {
  link = await on.createLink('a', { android_app_id: await on.createAndroidApp(), desktop_url: undefined });
  await on.create('/api/v1/account/webhooks', selectingWebhook);
});

/** Opens whose answer came late. They may wait for their write, so they are repeated after a kill. */
const unsure: object[] = [];

const anOpen = () => ({
  url: 'https://opened.localhost/a',
  app: { package_name: 'com.example.shop', version: '1.0' },
  open_id: randomBytes(16).toString('base64url'),
});

async function open(body: object): Promise<void> {
  const answer = await on.ask('/links/open', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  if (answer.took >= storedWithinMs) unsure.push(body);
}

/** Visits and claims the token until the service answers. The visit's token is lost if the service is killed before its write. */
async function visitAndClaim(): Promise<void> {
  const visited = await on.ask('/a', { headers: { ...headers, 'User-Agent': pixel } });
  const token = referrerOf(visited.headers.location!).get('deferred_link');
  await on.ask('/deferred-links/claim', { method: 'POST', headers, body: { token } });
}

test('each open, each claim and each milestone counts once, although the service is killed three times', async () => {
  const tasks: (() => Promise<void>)[] = [
    ...Array.from({ length: opens }, () => () => open(anOpen())),
    ...Array.from({ length: claims }, () => visitAndClaim),
  ];
  let done = 0;
  // Opens and claims take turns.
  const order = tasks.map((_, at) => tasks[(at * 7919) % tasks.length]!);
  const working = inTurns(200, order, async (task) => {
    await task();
    done++;
  });
  const repeat = () => void order.push(...unsure.splice(0).map((body) => () => open(body)));
  await on.killDuring(working, 3, () => done / tasks.length, repeat);
  await on.service.stop();
  const counted = await on.cluster.query<{ event: string; times: number }>(
    "SELECT event, sum(times)::int AS times FROM app_event_sums WHERE event IN ('claim', 'open') GROUP BY event ORDER BY event",
  );
  const [claimed] = await on.cluster.query<{ times: number }>(
    'SELECT count(*)::int AS times FROM deferred_links WHERE expires_at = clicked_at',
  );
  expect(claimed!.times).toBeGreaterThan(0);
  expect(counted).toEqual([
    { event: 'claim', times: claimed!.times },
    { event: 'open', times: opens },
  ]);
  const milestones = await milestonesIn(on.cluster);
  expect(milestones.get(`${link} claim`)).toBe(milestonesUpTo(claimed!.times));
  expect(milestones.get(`${link} open`)).toBe(milestonesUpTo(opens));
});
