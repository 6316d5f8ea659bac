import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { RedisServer } from '../support/redis';
import { aService, type TestService } from '../support/service';

jest.setTimeout(90_000);

const limit = 60;

let database: TestDatabase;
let redis: RedisServer;
let replicas: TestService[];
beforeAll(async () => {
  database = await createDatabase();
  redis = await RedisServer.start();
  const environment = { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: String(limit) };
  replicas = [await aService(environment, database), await aService(environment, database)];
});
afterAll(async () => {
  await Promise.all(replicas.map((replica) => replica.stop()));
  await redis.kill();
  await database.drop();
});

interface Answered {
  status: number;
  remaining: number;
  took: number;
}

async function ask(replica: TestService, key: string): Promise<Answered> {
  const startedAt = performance.now();
  const { status, headers } = await replica.api('get', '/projects', key);
  return { status, remaining: Number(headers['x-ratelimit-remaining']), took: performance.now() - startedAt };
}

/** Requests over both replicas in turn. */
async function askAll(key: string, times: number): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (let time = 0; time < times; time++) answers.push(await ask(replicas[time % 2]!, key));
  return answers;
}

/** A new key, once a minute has so much left that a test does not see it end. */
async function aKey(seconds = 15): Promise<string> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1000) await sleep(left + 50);
  return (await replicas[0]!.anAccount('enterprise')).key;
}

const sharedAgain = () =>
  eventually(async () => {
    const { key } = await replicas[0]!.anAccount('enterprise');
    const [, second] = await askAll(key, 2);
    return second!.remaining === limit - 2;
  }, 10_000);

test('of 61 requests over two replicas 60 are answered', async () => {
  const answers = await askAll(await aKey(), limit + 1);
  expect(answers.map(({ remaining }) => remaining)).toEqual([
    ...Array.from({ length: limit }, (_, at) => limit - 1 - at),
    0,
  ]);
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: limit }, () => 200), 429]);
});

test('at once, too', async () => {
  const key = await aKey();
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(replicas[at % 2]!, key)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
});

test('keys do not share a window, and no secret is in Redis', async () => {
  const [one, other] = [await aKey(), await aKey()];
  await askAll(one, 3);
  expect((await ask(replicas[1]!, other)).remaining).toBe(limit - 1);
  const names = await redis.command('KEYS *');
  expect(names).toContain('signpost:rate:');
  expect(names).not.toContain('svc_live_');
});

describe('while Redis', () => {
  test('is killed, each process holds the limit by itself, and no request fails', async () => {
    const key = await aKey();
    await askAll(key, 10);
    await redis.kill();
    const answers = await askAll(key, 2 * limit);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    // Each has counted five before.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2 * limit - 10);
    expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(1000);
    await redis.start();
    await sharedAgain();
  });

  test('is frozen, requests are a tenth of a second slower at most, and most are not', async () => {
    const key = await aKey(25);
    await askAll(key, 2);
    redis.freeze();
    try {
      const answers = await askAll(key, 40);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const times = answers.map(({ took }) => took).sort((a, b) => a - b);
      expect(times[20]).toBeLessThan(80);
      expect(times.at(-1)).toBeLessThan(600);
    } finally {
      redis.thaw();
    }
    await sharedAgain();
  });

  test('forgets everything, nobody gets more than a limit for each process', async () => {
    const key = await aKey();
    await askAll(key, limit);
    await redis.command('FLUSHALL');
    const answers = await askAll(key, 2 * limit);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(limit);
    expect(answers.at(-1)!.status).toBe(429);
  });
});
