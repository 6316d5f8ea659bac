import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { scaled } from '../support/scale';
import type { Answer } from '../support/ask';
import { becomesTrue, until } from '../support/eventually';
import type { Program } from '../support/process';
import { randomIntegers } from '../support/random-integers';
import { useInstallation } from './installation';

jest.setTimeout(1_800_000);

/** A start takes two seconds of CPU time, so more rounds are for changes of stops: `KILLED_REPLICAS=100 .ci/nightly faults`. */
const rounds = Number(process.env['KILLED_REPLICAS'] ?? scaled(20));
/** More rounds follow if a stall of the machine ended the holds of the first two. */
const maxRounds = 10 * rounds;
const postsARound = 3;
/** The number of replicas that start while others are killed. */
const startingAtOnce = 2;

const commitLock = 1;
/** Locks that hold POSTs, and a part of the statement that waits for them. A replica that dies meanwhile dies before or after its commit. */
const holds = [
  { lock: 'LOCK TABLE dynamic_links IN SHARE MODE', waiting: 'dynamic_links' },
  { lock: `SELECT pg_advisory_xact_lock(${commitLock})`, waiting: 'COMMIT' },
];

// A commit takes at least 20 ms, so that many replicas die between a commit and its answer.
const on = useInstallation('killed', { postgres: { fsync: 'on', commit_delay: '20000', commit_siblings: '0' } });

const replica = (): Promise<Program> => on.replica({ ROLE: 'api', MIGRATE_ON_START: 'false' });

// Runs in the COMMIT.
beforeAll(() =>
  on.cluster.query(`
    CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(${commitLock}); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON dynamic_links DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION hold_commit()`),
);

const post = (to: Program, name: string, idempotencyKey: string): Promise<Answer> =>
  to.ask(on.links, {
    method: 'POST',
    key: on.key,
    body: { name, desktop_url: 'https://example.com/' },
    headers: { 'Idempotency-Key': idempotencyKey },
  });

const random = randomIntegers(1);
const outcome = { 'answered before': 0, 'committed, not answered': 0, 'not committed': 0 };

/** Takes a lock, and returns a function that ends it. */
async function held(lock: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: on.cluster.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(lock);
  return () => client.end();
}

const isWaiting = async (part: string): Promise<boolean> =>
  (
    await on.cluster.query(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND strpos(query, '${part}') > 0`,
    )
  ).length > 0;

/**
 * Sends POSTs to a replica that is killed meanwhile, and repeats them on another one until they are acknowledged.
 * @param hold holds the POSTs until the replica is dead
 */
async function round(
  number: number,
  victim: Program,
  hold?: (typeof holds)[number],
): Promise<{ name: string; id: string }[]> {
  // The first request of a process is much slower than the next, so the second one measures the duration.
  await post(victim, 'warm', randomUUID());
  const { took } = await post(victim, 'warm', randomUUID());
  const posts = Array.from({ length: postsARound }, (_, at) => ({ name: `made-${number}-${at}`, key: randomUUID() }));
  const release = hold && (await held(hold.lock));
  const answers = posts.map((one) => post(victim, one.name, one.key));
  try {
    await (hold ? until(() => isWaiting(hold.waiting)) : delay((random(1500) / 1000) * took));
    await victim.kill();
  } finally {
    await release?.();
  }
  return Promise.all(
    posts.map(async ({ name, key }, at) => {
      let answer = await answers[at]!;
      if (answer.status === 201) outcome['answered before']++;
      else {
        // During a stall, the limit of a lock may end before the replica does.
        expect(hold ? [0, 503] : [0]).toContain(answer.status);
        const made = await becomesTrue(async () => {
          answer = await post(on.service, name, key);
          if (answer.status !== 201) expect(answer.json.error?.code).toBe('IDEMPOTENCY_CONFLICT');
          return answer.status === 201;
        });
        expect(made).toBe(true);
        outcome[answer.headers['idempotent-replayed'] ? 'committed, not answered' : 'not committed']++;
      }
      return { name, id: String(answer.json.data['id']) };
    }),
  );
}

it(`replicas killed with -9 during POSTs leave exactly one resource each, in at least ${rounds} rounds`, async () => {
  const starting = Array.from({ length: startingAtOnce }, replica);
  const made: { name: string; id: string }[] = [];
  let number = 0;
  const sawBoth = (): boolean => outcome['committed, not answered'] > 0 && outcome['not committed'] > 0;
  while (number < rounds || (!sawBoth() && number < maxRounds)) {
    number++;
    const victim = await (starting.shift() ?? replica());
    if (number + starting.length < rounds) starting.push(replica());
    const isHeld = number <= holds.length || number > rounds;
    made.push(...(await round(number, victim, isHeld ? holds[number % holds.length] : undefined)));
  }
  console.info(`${number} replicas killed: ${JSON.stringify(outcome)}`);
  const stored = await on.cluster.query<{ name: string; id: string }>(
    "SELECT name, id FROM dynamic_links WHERE name LIKE 'made-%'",
  );
  const sorted = (rows: { id: string; name: string }[]): string[] => rows.map(({ id, name }) => `${name} ${id}`).sort();
  expect(sorted(stored)).toEqual(sorted(made));
  expect(stored).toHaveLength(number * postsARound);
  expect(outcome['committed, not answered']).toBeGreaterThan(0);
  expect(outcome['not committed']).toBeGreaterThan(0);
});
