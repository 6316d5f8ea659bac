/** @needs redis-server */
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '../support/database';
import type { Answer } from '../support/ask';
import { endAllPrograms, Program, run } from '../support/process';
import { RedisServer } from '../support/redis';
import { scaled } from '../support/scale';
import { SteadyClock } from '../support/steady-clock';
import { aStoredKey, pepper, type StoredKey } from '../support/stored-key';
import { useProductionHeartbeatsInPrograms } from '../support/time-limits';

/** The deadline after which every replica must serve a change. */
const maxDelayMs = 1000;
const rounds = scaled(10);

let database: TestDatabase;
let clock: SteadyClock;
let redis: RedisServer;
let environment: Record<string, string>;
let replicas: Program[];
let owner: StoredKey;
let project: string;

beforeAll(async () => {
  useProductionHeartbeatsInPrograms();
  database = await createDatabase();
  clock = new SteadyClock(() => database.query('SELECT'));
  redis = await RedisServer.start();
  environment = { DATABASE_URL: database.url, REDIS_URL: redis.url, API_KEY_PEPPER: pepper };
  replicas = await Promise.all([Program.serving(environment), Program.serving(environment)]);
  owner = await aStoredKey(database);
  project = await post(owner, '/api/v1/projects', { name: 'Changes', subdomain: 'changes' });
});
afterAll(async () => {
  await endAllPrograms();
  await redis.kill();
  await clock.stop();
  await database.drop();
});

async function post({ key }: StoredKey, path: string, body: object): Promise<string> {
  const made = await replicas[0]!.ask(path, { method: 'POST', key, body });
  expect([made.status, made.text]).toEqual([201, expect.anything()]);
  return String(made.json.data['id']);
}

interface Change {
  /** Summarises a replica's answer in one word. */
  look: (replica: Program) => Promise<string>;
  before: string;
  after: string;
  make: () => Promise<unknown>;
}

const status = async (answer: Promise<Answer>): Promise<string> => String((await answer).status);

let count = 0;

const byShell = (command: string[]): Promise<string> => run('admin', environment, ...command);

const keyChange = async (make: (stored: StoredKey) => Promise<unknown>): Promise<Change> => {
  const stored = await aStoredKey(database);
  return {
    look: (replica) => status(replica.ask('/api/v1/projects', { key: stored.key })),
    before: '200',
    after: '401',
    make: () => make(stored),
  };
};

/** Upgrades from free to pro. Short links are then refused for their target instead of the plan. */
const planChange = async (make: (stored: StoredKey) => Promise<unknown>): Promise<Change> => {
  const stored = await aStoredKey(database, 'free');
  const own = await post(stored, '/api/v1/projects', { name: 'Plan', subdomain: `plan-${++count}` });
  const path = `/api/v1/projects/${own}/short-links`;
  const body = { dynamic_link_id: own };
  return {
    look: (replica) => status(replica.ask(path, { method: 'POST', key: stored.key, body })),
    before: '403',
    after: '404',
    make: () => make(stored),
  };
};

const linkChange = async (field: 'destination' | 'path'): Promise<Change> => {
  const path = `path-${++count}`;
  const links = `/api/v1/projects/${project}/links`;
  const link = await post(owner, links, { name: 'L', custom_path: path, desktop_url: 'https://example.com/old' });
  const body = field === 'path' ? { custom_path: `${path}-new` } : { desktop_url: 'https://example.com/new' };
  return {
    look: async (replica) => {
      const { status, headers } = await replica.visit('changes', `/${path}`);
      return headers.location ?? String(status);
    },
    before: 'https://example.com/old',
    after: field === 'path' ? '404' : 'https://example.com/new',
    make: async () => {
      const { status } = await replicas[count % 2]!.ask(`${links}/${link}`, { method: 'PUT', key: owner.key, body });
      expect(status).toBe(200);
    },
  };
};

const kinds: Record<string, { change: () => Promise<Change>; rounds: number }> = {
  'a key that is revoked': {
    rounds,
    change: () =>
      keyChange(({ keyId }) => database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [keyId])),
  },
  'a key that is revoked by the shell': {
    rounds: 1,
    change: () => keyChange(({ keyId }) => byShell(['key', 'revoke', '--key', keyId])),
  },
  'a plan that is changed': {
    rounds,
    change: () =>
      planChange(({ accountId }) => database.query("UPDATE accounts SET plan = 'pro' WHERE id = $1", [accountId])),
  },
  'a plan that is changed by the shell': {
    rounds: 1,
    change: () =>
      planChange(({ accountId }) => byShell(['account', 'set-plan', '--account', accountId, '--plan', 'pro'])),
  },
  'a link that leads elsewhere': { rounds, change: () => linkChange('destination') },
  'a link that has another path': { rounds, change: () => linkChange('path') },
};

/** Makes the change and polls all replicas; returns the milliseconds until the last one serves it. */
async function measureDelay({ look, before, after, make }: Change): Promise<number> {
  // Every replica has cached the old state.
  for (const replica of [...replicas, ...replicas]) expect(await look(replica)).toBe(before);
  let madeAt = Infinity;
  const watch = replicas.map(async (replica) => {
    for (;;) {
      const requestedAt = clock.now();
      const outcome = await look(replica);
      if (outcome === after) return requestedAt;
      expect(outcome).toBe(before);
      if (requestedAt > madeAt + maxDelayMs) throw new Error(`not visible within ${maxDelayMs} ms`);
      await delay(20); // leaves CPU time to the shell command
    }
  });
  const made = make().then(() => (madeAt = clock.now()));
  const seenAt = await Promise.all(watch);
  await made;
  // Every replica keeps the new state.
  for (const replica of replicas) expect(await look(replica)).toBe(after);
  return Math.max(0, ...seenAt.map((at) => at - madeAt));
}

describe.each([
  ['with Redis', async () => {}],
  ['while Redis is down', () => redis.kill()],
])('%s', (where, prepare) => {
  beforeAll(prepare);

  test.each(Object.entries(kinds))('every replica serves %s within a second', async (what, { change, rounds }) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await measureDelay(await change()));
    const slowest = Math.max(...times);
    console.info(
      `${what}, ${where}: seen on both replicas after ${Math.round(slowest)} ms at most, of ${rounds} rounds`,
    );
    expect(slowest).toBeLessThan(maxDelayMs);
  });
});
