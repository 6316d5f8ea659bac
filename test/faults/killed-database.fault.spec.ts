import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { LoadBalancer } from '../support/load-balancer';
import { ask } from '../support/ask';
import { becomesTrue, until } from '../support/eventually';
import type { Program } from '../support/process';
import { whenAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { steadyNow } from '../support/steady-now';
import { expectSoundCounts, useInstallation } from './installation';

beforeAll(useProductionTimeLimitsInPrograms);

const writers = 12;
/** The deadline for full recovery. Measured: a second. A machine with ten other jobs takes five. */
const maxRecoveryMs = 50_000;

/** A request that waits for a lost answer would take this long. Measured: 3 s, and 5 s beside ten other jobs. */
const maxAnswerMs = 15_000;

// Durability settings stay on, because acknowledged writes must survive.
const on = useInstallation('killed', { postgres: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } });
let replicas: Program[];
let balancer: LoadBalancer;
beforeAll(async () => {
  replicas = [on.service, await on.replica()];
  balancer = await LoadBalancer.before(...replicas);
  await on.createLink('known');
  for (const replica of replicas)
    expect((await whenAvailable(() => replica.visit('killed', '/known'))).status).toBe(302);
});
afterAll(() => balancer.close());

const createOn = (port: number, name: string, more: { key?: string; agent?: Agent } = {}) => {
  const { key: idempotencyKey = randomUUID(), agent } = more;
  return ask(port, {
    path: on.links,
    method: 'POST',
    key: on.key,
    body: { name, desktop_url: 'https://example.com/' },
    headers: { 'Idempotency-Key': idempotencyKey },
    ...(agent && { agent }),
  });
};

interface Write {
  name: string;
  /** The acknowledged values of the link. */
  id: string;
  tries: number;
  replayed: boolean;
}

interface Load {
  writes: Write[];
  /** Counts of answers other than an acknowledgement. */
  refusals: Map<string, number>;
  slowest: number;
  end: () => Promise<void>;
}

let count = 0;

/** Starts writers that repeat each POST with the same Idempotency-Key until it is acknowledged. */
function load(): Load {
  let over = false;
  const all: Load = { writes: [], refusals: new Map(), slowest: 0, end: async () => {} };
  const writer = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!over) {
      const name = `made-${++count}`;
      const idempotencyKey = randomUUID();
      for (let tries = 1; ; tries++) {
        const answer = await createOn(balancer.port, name, { key: idempotencyKey, agent });
        all.slowest = Math.max(all.slowest, answer.tookSteady);
        if (answer.status === 201) {
          const replayed = answer.headers['idempotent-replayed'] === 'true';
          all.writes.push({ name, id: String(answer.json.data['id']), tries, replayed });
          break;
        }
        const refusal = `${answer.status} ${answer.json.error?.code ?? ''}`.trim();
        all.refusals.set(refusal, (all.refusals.get(refusal) ?? 0) + 1);
        await delay(50);
      }
    }
    agent.destroy();
  };
  const running = Array.from({ length: writers }, writer);
  all.end = async () => {
    over = true;
    await Promise.all(running);
  };
  return all;
}

/** Returns how many answers failed because the database was away. */
const refused = ({ refusals }: Load): number =>
  [...refusals].reduce((sum, [refusal, times]) => (/^(?:0|503)/.test(refusal) ? sum + times : sum), 0);

const isWell = async (): Promise<boolean> => {
  const answers = await Promise.all(
    replicas.flatMap((replica) => [
      createOn(replica.port, 'probe'),
      replica.ask(on.links, { key: on.key }),
      replica.visit('killed', '/known'),
      replica.ask('/health/ready'),
    ]),
  );
  return answers.map(({ status }) => status).join() === '201,200,302,200,201,200,302,200';
};

test.each<[string, () => Promise<void>]>([
  ['killed with -9, all processes at once', () => on.cluster.crash()],
  ['killed with -9, the postmaster alone', () => on.cluster.kill()],
  ['shut down immediately', () => on.cluster.stopAtOnce()],
])('a database that is %s loses nothing that was acknowledged, and nothing is there twice', async (how, end) => {
  const before = await on.cluster.query<{ id: string }>('SELECT id FROM dynamic_links');
  const under = load();
  const known = new Set<number>();
  let wellAfter = 0;
  for (let round = 0; round < 2; round++) {
    await delay(1500);
    const refusedBefore = refused(under);
    await end();
    for (const replica of replicas) known.add((await replica.visit('killed', '/known')).status);
    await delay(1000);
    // Replicas that stand still meanwhile would not notice that the database was away.
    await until(() => refused(under) > refusedBefore);
    await on.cluster.start();
    const backAt = steadyNow();
    expect(await becomesTrue(isWell, maxRecoveryMs, steadyNow)).toBe(true);
    const acknowledged = under.writes.length;
    expect(await becomesTrue(() => under.writes.length > acknowledged + writers, maxRecoveryMs, steadyNow)).toBe(true);
    wellAfter = Math.max(wellAfter, steadyNow() - backAt);
  }
  await under.end();

  const { writes, refusals, slowest } = under;
  const again = writes.filter(({ tries }) => tries > 1);
  console.info(
    `${how}: ${writes.length} writes acknowledged, ${again.length} retried, ` +
      `${again.filter(({ replayed }) => replayed).length} replayed; ` +
      `refusals ${JSON.stringify(Object.fromEntries(refusals))}, slowest response ${Math.round(slowest)} ms, ` +
      `recovered ${Math.round(wellAfter)} ms after the restart`,
  );
  expect(slowest).toBeLessThan(maxAnswerMs);
  expect([...known]).toEqual([302]);
  expect(again.length).toBeGreaterThan(0);
  // Status 0: no replica was ready and none accepted the connection. 429: the request waited for the others of its account.
  for (const refusal of refusals.keys())
    expect(['0', '503 DATABASE_ERROR', '409 IDEMPOTENCY_CONFLICT', '429 RATE_LIMITED']).toContain(refusal);

  const stored = await on.cluster.query<{ id: string; name: string }>(
    "SELECT id, name FROM dynamic_links WHERE name LIKE 'made-%'",
  );
  const ofThisRound = stored.filter(({ id }) => !before.some((row) => row.id === id));
  const sorted = (rows: { id: string; name: string }[]): string[] => rows.map(({ id, name }) => `${name} ${id}`).sort();
  expect(sorted(ofThisRound)).toEqual(sorted(writes));
  await expectSoundCounts(on.cluster);
  expect(replicas.map(({ running }) => running)).toEqual([true, true]);
});
