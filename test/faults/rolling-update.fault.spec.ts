import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '../support/database';
import { LoadBalancer } from '../support/load-balancer';
import { type Answer, ask } from '../support/ask';
import { until } from '../support/eventually';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { scaled } from '../support/scale';
import { randomIntegers } from '../support/random-integers';

const atLeast = scaled(10_000);
const clients = 6;
/** Shorter than the time that a replica serves after SIGTERM. */
const maxPauseMs = 100;
/**
 * The load balancer and the clients run in this process. So a replica serves longer after SIGTERM than a busy machine stands still.
 */
const shutdownDelaySeconds = 30;

let database: TestDatabase;
let balancer: LoadBalancer;
let key: string;
let links: string;
let link: string;

const replica = (): Promise<Program> =>
  Program.serving({
    DATABASE_URL: database.url,
    SHUTDOWN_DELAY_SECONDS: String(shutdownDelaySeconds),
    LOG_LEVEL: 'info',
  });

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(async () => {
  await balancer.close();
  await endAllPrograms();
  await database.drop();
});

interface Sent extends Answer {
  what: string;
  name?: string;
}

let count = 0;

/** Every kind of request with its expected status. */
const requests: Record<string, (agent: Agent) => Promise<Answer & { name?: string }>> = {
  'visit 302': (agent) => ask(balancer.port, { path: '/known', headers: { Host: 'rolling.localhost' }, agent }),
  'get 200': (agent) => ask(balancer.port, { path: `${links}/${link}`, key, agent }),
  'list 200': (agent) => ask(balancer.port, { path: links, key, agent }),
  'association file 200': (agent) =>
    ask(balancer.port, { path: '/.well-known/assetlinks.json', headers: { Host: 'rolling.localhost' }, agent }),
  'create 201': async (agent) => {
    const name = `made-${++count}`;
    const body = { name, desktop_url: 'https://example.com/' };
    return { ...(await ask(balancer.port, { path: links, method: 'POST', key, body, agent })), name };
  },
  'update 200': (agent) =>
    ask(balancer.port, { path: `${links}/${link}`, method: 'PUT', key, body: { name: `Now ${++count}` }, agent }),
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
  let replicas = await Promise.all([replica(), replica()]);
  key = (await anAccountByShell({ DATABASE_URL: database.url }, 'enterprise')).api_key.key;
  balancer = await LoadBalancer.before(...replicas);
  const post = async (path: string, body: object): Promise<string> =>
    String((await ask(balancer.port, { path, method: 'POST', key, body })).json.data['id']);
  links = `/api/v1/projects/${await post('/api/v1/projects', { name: 'Rolling', subdomain: 'rolling' })}/links`;
  link = await post(links, { name: 'Known', custom_path: 'known', desktop_url: 'https://example.com/' });

  const sent: Sent[] = [];
  let over = false;
  const load = Array.from({ length: clients }, (_, at) => client(at, () => over, sent));
  const startedAt = performance.now();
  const replaced: Program[] = [];
  const servedBy = ({ logLines }: Program): number =>
    logLines.filter(({ message, route }) => message === 'request' && route !== '/health/ready').length;
  while (replaced.length < scaled(4) + 1) {
    const [old, other] = replicas;
    const fresh = await replica();
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
  console.info(
    `rolling: ${replaced.length} replicas replaced in ${seconds.toFixed(1)} s, ${sent.length} requests, ` +
      `${sent.filter(({ what, status }) => !what.endsWith(` ${status}`)).length} failed; ` +
      `of the API each replica that went had answered ${replaced.map(servedBy).join(', ')}`,
  );
  const failed = sent.filter(({ what, status }) => !what.endsWith(` ${status}`));
  expect(failed.map(({ what, status, text }) => [what, status, text])).toEqual([]);
  expect(sent.length).toBeGreaterThanOrEqual(atLeast);
  const stored = await database.query<{ name: string }>("SELECT name FROM dynamic_links WHERE name LIKE 'made-%'");
  expect(stored.map(({ name }) => name).sort()).toEqual(sent.flatMap(({ name }) => name ?? []).sort());
});
