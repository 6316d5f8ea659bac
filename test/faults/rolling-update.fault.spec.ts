import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { LoadBalancer } from '../support/load-balancer';
import { type Answer, ask } from '../support/ask';
import { until } from '../support/eventually';
import type { Program } from '../support/process';
import { scaled } from '../support/scale';
import { randomIntegers } from '../support/random-integers';
import { useInstallation } from './installation';

const atLeast = scaled(10_000);
const clients = 6;
/** Shorter than the time that a replica serves after SIGTERM. */
const maxPauseMs = 100;
/**
 * The load balancer and the clients run in this process. So a replica serves longer after SIGTERM than a busy machine stands still.
 */
const shutdownDelaySeconds = 30;

const on = useInstallation('rolling', {
  environment: () => ({ SHUTDOWN_DELAY_SECONDS: String(shutdownDelaySeconds), LOG_LEVEL: 'info' }),
});
let balancer: LoadBalancer;
let link: string;
beforeAll(async () => {
  link = `${on.links}/${await on.createLink('known')}`;
});
afterAll(() => balancer.close());

interface Sent extends Answer {
  what: string;
  name?: string;
}

let count = 0;

const ofHost = (path: string, agent: Agent): Promise<Answer> =>
  ask(balancer.port, { path, headers: { Host: 'rolling.localhost' }, agent });
const ofApi = (method: string, path: string, agent: Agent, body?: object): Promise<Answer> =>
  ask(balancer.port, { path, method, key: on.key, body, agent });

/** Every kind of request with its expected status. */
const requests: Record<string, (agent: Agent) => Promise<Answer & { name?: string }>> = {
  'visit 302': (agent) => ofHost('/known', agent),
  'get 200': (agent) => ofApi('GET', link, agent),
  'list 200': (agent) => ofApi('GET', on.links, agent),
  'association file 200': (agent) => ofHost('/.well-known/assetlinks.json', agent),
  'create 201': async (agent) => {
    const name = `made-${++count}`;
    return { ...(await ofApi('POST', on.links, agent, { name, desktop_url: 'https://example.com/' })), name };
  },
  'update 200': (agent) => ofApi('PUT', link, agent, { name: `Now ${++count}` }),
};

const random = randomIntegers(1);

/** Keeps its connection until the server closes it, and repeats no request. */
async function client(start: number, isOver: () => boolean, sent: Sent[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const kinds = Object.keys(requests);
  for (let turn = start; !isOver(); turn++) {
    const what = kinds[turn % kinds.length]!;
    const answer = await requests[what]!(agent);
    sent.push({ what, ...answer });
    // On a busy machine answers take longer, and so do the pauses: a saturated machine answers 503.
    await delay(turn % 20 === 0 ? random(maxPauseMs) : Math.min(Math.max(5, answer.took), maxPauseMs));
  }
  agent.destroy();
}

it('no request fails while replicas are replaced one by one', async () => {
  let replicas = [on.service, await on.replica()];
  balancer = await LoadBalancer.before(...replicas);

  const sent: Sent[] = [];
  let over = false;
  const load = Array.from({ length: clients }, (_, at) => client(at, () => over, sent));
  const startedAt = performance.now();
  const replaced: Program[] = [];
  const servedBy = ({ logLines }: Program): number =>
    logLines.filter(({ message, route }) => message === 'request' && route !== '/health/ready').length;
  while (replaced.length < scaled(4) + 1) {
    const [old, other] = replicas as [Program, Program];
    const fresh = await on.replica();
    await balancer.add(fresh);
    // Clients send requests throughout the update.
    await until(() => servedBy(old) > 20);
    old.signal('SIGTERM');
    await until(() => !balancer.isReady(old));
    replicas = [other, fresh];
    replaced.push(old);
  }
  // The requests may take long on a busy machine, but they never stand still.
  while (sent.length < atLeast) {
    const before = sent.length;
    await until(() => sent.length > before);
  }
  // As in Kubernetes, a replacement does not wait until the former replica has ended. All of them end under load.
  for (const old of replaced) {
    expect(await old.exit).toEqual({ code: 0, signal: null });
    balancer.remove(old);
  }
  over = true;
  await Promise.all(load);

  const seconds = (performance.now() - startedAt) / 1000;
  const failed = sent.filter(({ what, status }) => !what.endsWith(` ${status}`));
  console.info(
    `rolling: ${replaced.length} replicas replaced in ${seconds.toFixed(1)} s, ${sent.length} requests, ` +
      `${failed.length} failed; of the API each replica that went had answered ${replaced.map(servedBy).join(', ')}`,
  );
  expect(failed.map(({ what, status, text }) => [what, status, text])).toEqual([]);
  expect(sent.length).toBeGreaterThanOrEqual(atLeast);
  const stored = await on.cluster.query<{ name: string }>("SELECT name FROM dynamic_links WHERE name LIKE 'made-%'");
  expect(stored.map(({ name }) => name).sort()).toEqual(sent.flatMap(({ name }) => name ?? []).sort());
});
