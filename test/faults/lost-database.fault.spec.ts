import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Answer } from '../support/ask';
import { becomesTrue, until } from '../support/eventually';
import { available, untilAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { atEndOfTest } from '../support/end-of-test';
import { useInstallation } from './installation';

beforeAll(useProductionTimeLimitsInPrograms);

/** docs/contract.md, “Errors and codes”: 503 within 5 s. */
const maxAnswerMs = 5000;

const maxConnections = 40;

const on = useInstallation('lost', {
  postgres: { max_connections: String(maxConnections), restart_after_crash: 'off' },
  plan: 'pro',
});
let pid: number;
beforeAll(async () => {
  on.service.startSteadyClock();
  ({ pid } = on.service);
  await on.createLink('first');
  await until(isWell, maxAnswerMs, on.service.steadyNow);
});

/** The process must survive every failure of the database and work again. */
afterEach(async () => {
  expect(await becomesTrue(isWell, maxAnswerMs, on.service.steadyNow)).toBe(true);
  expect([on.service.pid, on.service.running]).toEqual([pid, true]);
});

let count = 0;
const create = (): Promise<Answer> =>
  on.service.ask(on.links, { method: 'POST', key: on.key, body: { name: 'Made', custom_path: `made-${++count}` } });
const list = (): Promise<Answer> => on.service.ask(on.links, { key: on.key });
const visit = (): Promise<Answer> => on.service.visit('lost', '/first');
const ready = (): Promise<Answer> => on.service.ask('/health/ready');

async function isWell(): Promise<boolean> {
  const answers = await Promise.all([create(), list(), visit(), ready()]);
  return answers.map(({ status }) => status).join() === '201,200,302,200';
}

function expectUnavailable({ status, json, tookSteady }: Answer): void {
  expect(status).toBe(503);
  // Readiness reports its checks instead of an error.
  if (json.error) expect(json.error.code).toBe('DATABASE_ERROR');
  else expect(json.data).toMatchObject({ status: 'unready', checks: { database: 'down' } });
  expect(tookSteady).toBeLessThan(maxAnswerMs);
}

/** Expects 503, or 429 for a request that waited for the other requests of its account. */
function expectUnavailableOrAboveShare(answer: Answer): void {
  if (answer.status !== 429) return expectUnavailable(answer);
  expect(answer.json.error).toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'concurrency' } });
  expect(answer.tookSteady).toBeLessThan(maxAnswerMs);
}

it('many concurrent requests are all answered over old connections', () =>
  untilAvailable(async () => {
    await Promise.all(Array.from({ length: 40 }, visit));
    await delay(4000); // longer than the query deadline of a request
    const answers = available(
      await Promise.all(Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? list() : visit()))),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 302)).toEqual([]);
  }));

/** Sends requests of every kind until `meanwhile` ends; returns all answers. */
async function requestDuring(meanwhile: () => Promise<void>): Promise<Answer[]> {
  let over = false;
  const answers: Answer[] = [];
  const caller = async (request: () => Promise<Answer>): Promise<void> => {
    while (!over) {
      answers.push(await request());
      await delay(20);
    }
  };
  const callers = [create, list, visit, ready, create, list, visit, create].map((request) => caller(request));
  try {
    await meanwhile();
  } finally {
    over = true;
    await Promise.all(callers);
  }
  return answers;
}

/** Expects only successes and 503, all in time. */
function expectOrderly(answers: Answer[]): void {
  const odd = answers.filter(({ status }) => ![200, 201, 302, 503].includes(status));
  const ids = odd.map(({ headers }) => headers['x-request-id']);
  const errorLines = on.service.logLines.filter(
    (line) => 'error' in line && ids.includes(line['request_id'] as string),
  );
  expect([odd.map(({ status, text }) => [status, text]), errorLines, on.service.stderr]).toEqual([[], [], '']);
  expect(Math.max(...answers.map(({ tookSteady }) => tookSteady))).toBeLessThan(maxAnswerMs);
}

const endSessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'signpost%'";

it('terminated connections cause at most a 503, at any time of a request', async () => {
  const other = await on.cluster.connect();
  const answers = await requestDuring(async () => {
    for (let cut = 0; cut < 100; cut++) {
      await other.query(endSessions);
      await delay(cut % 30);
    }
  });
  await other.end();
  expectOrderly(answers);
  expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
});

/** Takes all free connections of the server. */
async function takeAll(others: Client[]): Promise<void> {
  for (;;)
    try {
      others.push(await on.cluster.connect());
    } catch {
      return;
    }
}

describe('a database without free connections', () => {
  it('is unavailable until other clients release some', async () => {
    const others: Client[] = [];
    try {
      const first = await on.cluster.connect();
      others.push(first);
      await until(async () => {
        await first.query(endSessions);
        // The service connects again within milliseconds, and so must this loop.
        for (let tries = 0; tries < 100 && others.length < maxConnections; tries++) await takeAll(others);
        return others.length === maxConnections;
      });
      const answers = await Promise.all([create(), list(), ready(), create(), list(), ready()]);
      answers.forEach(expectUnavailable);
      // A cached link still redirects.
      expect((await visit()).status).toBe(302);
      expect((await on.service.ask('/health/live')).status).toBe(200);
    } finally {
      await Promise.all(others.map((client) => client.end()));
    }
    const freeAt = performance.now();
    await until(isWell, maxAnswerMs, on.service.steadyNow);
    console.info(`out of connections: all well ${Math.round(performance.now() - freeAt)} ms after some were free`);
  });

  it('serves reads over the kept connections under load', async () => {
    await Promise.all(Array.from({ length: 20 }, () => on.service.visit('lost', `/unknown-${++count}`)));
    await delay(11_000); // longer than the idle timeout of connections
    const others: Client[] = [];
    const kept = await on.cluster.query<{ name: string; connections: number }>(
      `SELECT application_name AS name, count(*)::int AS connections FROM pg_stat_activity
       WHERE application_name LIKE 'signpost%' GROUP BY 1 ORDER BY 1`,
    );
    atEndOfTest(() => Promise.all(others.map((client) => client.end())));
    await takeAll(others);
    for (let round = 0; round < 5; round++) {
      const answers = await untilAvailable(async () =>
        available(
          await Promise.all([
            ...Array.from({ length: 25 }, list),
            ...Array.from({ length: 25 }, visit),
            ...Array.from({ length: 25 }, () => on.service.visit('lost', `/unknown-${++count}`)),
            ready(),
          ]),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 25 }, () => 200),
        ...Array.from({ length: 25 }, () => 302),
        ...Array.from({ length: 25 }, () => 404),
        200,
      ]);
    }
    // Writes succeed or report the reason.
    for (const answer of await Promise.all(Array.from({ length: 25 }, () => create())))
      if (answer.status !== 201) expectUnavailable(answer);
    console.info(
      `out of connections: 380 reads answered by ${kept.map((row) => `${row.connections} of ${row.name}`).join(', ')}`,
    );
  });
});

it('a read-only database serves reads, refuses writes, and accepts writes again after at most one refusal', () =>
  untilAvailable(async () => {
    const setReadOnly = (state: 'on' | 'off'): Promise<unknown> =>
      on.cluster.query(`ALTER DATABASE postgres SET default_transaction_read_only = ${state}`);
    const admin = await on.cluster.connect();
    try {
      await setReadOnly('on');
      await admin.query(endSessions);
      await until(async () => (await list()).status === 200, maxAnswerMs, on.service.steadyNow);
      for (let round = 0; round < 3; round++) {
        // Enough concurrent reads to fill the pool with connections from the read-only period.
        const reads = available(await Promise.all([...Array.from({ length: 40 }, list), visit(), ready()]));
        expect(reads.filter(({ status }) => status !== 200 && status !== 302)).toEqual([]);
        expectUnavailable(await create());
        const body = { name: 'No', subdomain: 'no-write' };
        expectUnavailable(await on.service.ask('/api/v1/projects', { method: 'POST', key: on.key, body }));
      }
      await Promise.all(Array.from({ length: 40 }, list));
    } finally {
      await admin.query('SET default_transaction_read_only = off');
      await admin.query('ALTER DATABASE postgres SET default_transaction_read_only = off');
      await admin.end();
    }
    const answers: Answer[] = [];
    for (let round = 0; round < 15; round++) answers.push(await create());
    console.info(`read-only no more: ${answers.filter(({ status }) => status === 503).length} of 15 creates refused`);
    expect(available(answers.slice(1)).map(({ status }) => status)).toEqual(answers.slice(1).map(() => 201));
  }));

describe('locks of other clients', () => {
  async function whileLocked(lock: string, test: () => Promise<void>): Promise<void> {
    const other = await on.cluster.connect();
    try {
      await other.query('BEGIN');
      await other.query(lock);
      await test();
    } finally {
      await other.query('ROLLBACK');
      await other.end();
    }
  }

  it.each([
    ['the account’s row', (): string => `SELECT FROM accounts WHERE id = '${on.account.account.id}' FOR UPDATE`],
    ['the links', (): string => 'LOCK TABLE dynamic_links IN ACCESS EXCLUSIVE MODE'],
    ['the paths', (): string => 'LOCK TABLE link_paths IN ACCESS EXCLUSIVE MODE'],
  ])('on %s end a waiting create in time', async (_, lock) => {
    const before = await on.cluster.query('SELECT id FROM dynamic_links');
    await whileLocked(lock(), async () => {
      (await Promise.all([create(), create(), create()])).forEach(expectUnavailable);
      // More requests than connections.
      const crowd = await Promise.all(Array.from({ length: 25 }, () => create()));
      crowd.forEach(expectUnavailableOrAboveShare);
      expect((await on.service.ask('/health/live')).status).toBe(200);
    });
    const made = await untilAvailable(async () => available([await create()]));
    expect(made.map(({ status }) => status)).toEqual([201]);
    // A refused create has no effect later.
    await delay(500);
    expect(await on.cluster.query('SELECT id FROM dynamic_links')).toHaveLength(before.length + 1);
  });

  it('on the links end a waiting visit in time', () =>
    whileLocked('LOCK TABLE dynamic_links IN ACCESS EXCLUSIVE MODE', async () => {
      const visits = await Promise.all(
        Array.from({ length: 25 }, (_, at) => on.service.visit('lost', `/not-remembered-${at}`)),
      );
      expect(new Set(visits.map(({ status }) => status))).toEqual(new Set([503]));
      expect(Math.max(...visits.map(({ tookSteady }) => tookSteady))).toBeLessThan(maxAnswerMs);
    }));
});

it('a slow statement is cancelled in time', async () => {
  // Each row of links takes a minute, as on a failing disk.
  await on.cluster.query(`
    CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
    CREATE TRIGGER slowly BEFORE INSERT ON dynamic_links FOR EACH ROW EXECUTE FUNCTION slowly()`);
  atEndOfTest(() => on.cluster.query('DROP FUNCTION slowly CASCADE'));
  (await Promise.all(Array.from({ length: 15 }, () => create()))).forEach(expectUnavailableOrAboveShare);
  // Well before the minute ends. DROP FUNCTION would wait for the statements.
  const sleeping = "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  await until(async () => (await on.cluster.query(sleeping)).length === 0, 30_000);
});
