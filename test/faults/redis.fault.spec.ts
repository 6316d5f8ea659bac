/** @needs redis-server */
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import type { Answer } from '../support/ask';
import { Program, databaseOfPrograms } from '../support/process';
import { RedisServer } from '../support/redis';
import { SteadyClock } from '../support/steady-clock';
import { immediateMs } from '../support/immediate';
import { aStoredKey, pepper, type StoredKey } from '../support/stored-key';
import { useProductionHeartbeatsInPrograms } from '../support/time-limits';
import { fixture } from '../support/fixtures';

const limitPerMinute = 60;

const database = databaseOfPrograms();
const redis = fixture(() => RedisServer.start());
let replicas: Program[];
/** A key that was revoked before the failures. */
let revoked: StoredKey;

beforeAll(async () => {
  useProductionHeartbeatsInPrograms();
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    RATE_LIMIT_PER_MINUTE: String(limitPerMinute),
    API_KEY_PEPPER: pepper,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  replicas = await Promise.all([Program.serving(environment), Program.serving(environment)]);
  for (const replica of replicas) replica.startSteadyClock();
  revoked = await aStoredKey(database);
  await expectEverywhere(revoked.key, 200);
  await revoke(revoked);
  await expectEverywhere(revoked.key, 401);
  const owner = await aStoredKey(database);
  const post = async (path: string, body: object): Promise<string> =>
    String((await replicas[0]!.ask(path, { method: 'POST', key: owner.key, body })).json.data['id']);
  const project = await post('/api/v1/projects', { name: 'Redis', subdomain: 'redis' });
  const link = { name: 'Known', custom_path: 'known', desktop_url: 'https://example.com/' };
  await post(`/api/v1/projects/${project}/links`, link);
});

const revoke = ({ keyId }: StoredKey): Promise<unknown> =>
  database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [keyId]);

let visitors = 0;

/** Uses a new client address, because requests with a refused key are counted by address. */
const askOne = (replica: Program, key: string): Promise<Answer> => {
  const headers = { 'X-Forwarded-For': `10.0.${++visitors >> 8}.${visitors & 255}` };
  return replica.ask('/api/v1/projects', { key, headers });
};

/** Expects this status from every replica within a second. */
async function expectEverywhere(key: string, status: number): Promise<void> {
  let statuses: number[] = [];
  const same = async (): Promise<boolean> => {
    statuses = (await Promise.all(replicas.map((replica) => askOne(replica, key)))).map((answer) => answer.status);
    return statuses.every((one) => one === status);
  };
  const clock = new SteadyClock(() => database.query('SELECT'));
  try {
    await eventually(same, 1000, clock.now).catch(() => expect(statuses).toEqual(replicas.map(() => status)));
  } finally {
    await clock.stop();
  }
}

let turn = 0;

/** Asks the replicas in turn, so that each counts half of the requests. */
const ask = (key: string): Promise<Answer> => replicas[turn++ % replicas.length]!.ask('/api/v1/projects', { key });

async function askAll(key: string, times: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let time = 0; time < times; time++) answers.push(await ask(key));
  return answers;
}

const remainingOf = ({ headers }: Answer): number => Number(headers['x-ratelimit-remaining']);

const statusesOf = (answers: Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Returns a new key when at least `seconds` of the current minute remain, so that the window does not end in the test. */
async function aKey(seconds = 15): Promise<string> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1000) await delay(left + 50);
  return (await aStoredKey(database)).key;
}

const sharedAgain = (): Promise<unknown> =>
  eventually(async () => {
    const { key } = await aStoredKey(database);
    const [, second] = await askAll(key, 2);
    return remainingOf(second!) === limitPerMinute - 2;
  });

/** A check that fails for another reason than a busy machine fails each time. */
const maxAttempts = 20;

/** Repeats a check after a failure that `isExcused`, up to `maxAttempts` times. */
async function repeated(check: () => Promise<void>, isExcused = () => true): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await check();
    } catch (error) {
      if (attempt === maxAttempts || !isExcused()) throw error;
      await sharedAgain();
    }
}

const minute = () => Math.floor(Date.now() / 60_000);

/**
 * Runs a check with a new key. Repeats it if it failed and the minute ended meanwhile, because the window of the limit ends with the
 * minute. The check restores Redis.
 */
function withinAMinute(check: (key: string) => Promise<void>): Promise<void> {
  let began = 0;
  return repeated(
    async () => {
      const key = await aKey(25);
      began = minute();
      await check(key);
    },
    () => minute() !== began,
  );
}

describe('two replicas', () => {
  // A replica that waits longer than 100 ms for Redis counts alone for a while, and a busy machine may delay any answer.
  test('answer 60 of a hundred concurrent requests', () =>
    repeated(async () => {
      const key = await aKey();
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask(key)));
      expect(statusesOf(answers)).toEqual({ 200: limitPerMinute, 429: 40 });
    }));

  test('count each key separately and store no secret in Redis', async () => {
    const [one, other] = [await aKey(), await aKey()];
    await askAll(one, 3);
    expect(remainingOf(await ask(other))).toBe(limitPerMinute - 1);
    const names = await redis.command('KEYS *');
    expect(names).toContain('signpost:rate:');
    expect(names).not.toContain('svc_live_');
  });
});

/** Expects no failed request, no revival of a revoked key, and a timely refusal of a key that is revoked now. */
async function expectSoundKeysAndVisits(): Promise<void> {
  const fresh = await aStoredKey(database);
  await expectEverywhere(fresh.key, 200);
  await revoke(fresh);
  await expectEverywhere(fresh.key, 401);
  for (const replica of replicas) {
    const answers = await Promise.all([
      askOne(replica, revoked.key),
      askOne(replica, fresh.key),
      replica.visit('redis', '/known'),
      replica.ask('/health/ready'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 302, 200]);
    expect(answers[3].json.data).toMatchObject({ status: 'ready', checks: { database: 'up', redis: 'down' } });
    expect(answers[3].tookSteady).toBeLessThan(immediateMs);
  }
}

describe('while Redis', () => {
  test('is down, each process enforces the limit alone and no request fails', async () => {
    await withinAMinute(async (key) => {
      await askAll(key, 10);
      await redis.kill();
      try {
        const answers = await askAll(key, 2 * limitPerMinute);
        // Each process has counted five requests before.
        expect(statusesOf(answers)).toEqual({ 200: 2 * limitPerMinute - 10, 429: 10 });
        expect(Math.max(...answers.map(({ tookSteady }) => tookSteady))).toBeLessThan(5000);
        console.info(
          `Redis killed: ${JSON.stringify(statusesOf(answers))} of 120 over 2 replicas that had counted 5 each`,
        );
        await expectSoundKeysAndVisits();
      } finally {
        await redis.start();
      }
    });
    await sharedAgain();
    await expectEverywhere(revoked.key, 401);
  });

  test('is frozen, requests take at most 100 ms longer, and most are not delayed', async () => {
    await withinAMinute(async (key) => {
      await askAll(key, 2);
      redis.freeze();
      try {
        const answers = await askAll(key, 40);
        expect(statusesOf(answers)).toEqual({ 200: 40 });
        const times = answers.map(({ tookSteady }) => tookSteady).sort((a, b) => a - b);
        console.info(`Redis frozen: median ${Math.round(times[20]!)} ms, slowest ${Math.round(times.at(-1)!)} ms`);
        expect(times[20]).toBeLessThan(400);
        expect(times.at(-1)).toBeLessThan(3000);
        await expectSoundKeysAndVisits();
        // Two more than both processes accept alone.
        const more = await askAll(key, 2 * limitPerMinute - 40 + 2);
        expect(statusesOf(more)).toEqual({ 200: 2 * limitPerMinute - 42, 429: 4 });
      } finally {
        redis.thaw();
      }
    });
    await sharedAgain();
    await expectEverywhere(revoked.key, 401);
  });
});
