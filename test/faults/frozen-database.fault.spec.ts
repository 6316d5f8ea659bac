import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../support/ask';
import { until } from '../support/eventually';
import { anAccountByShell } from '../support/process';
import { available, untilAvailable } from '../support/repeated-rounds';
import { steadyNow } from '../support/steady-now';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { scaled } from '../support/scale';
import { expectSoundCounts, useInstallation } from './installation';

beforeAll(useProductionTimeLimitsInPrograms);

/** docs/contract.md, “Errors and codes”: 503 within 5 s. */
const maxAnswerMs = 5000;
const frozenFor = Math.max(12_000, scaled(30_000));
const callers = 20;

// Few connections fill the accept queue of the frozen server quickly.
const on = useInstallation('ice', { postgres: { max_connections: '40' }, plan: 'pro' });
let otherKey: string;
let link: string;
beforeAll(async () => {
  on.service.startSteadyClock();
  otherKey = (await anAccountByShell(on.environment)).api_key.key;
  link = await on.createLink('first');
});

interface Sent extends Answer {
  what: string;
  at: number;
  path?: string;
}

let round = 0;
let count = 0;

const requests: Record<string, () => Promise<Answer & { path?: string }>> = {
  list: () => on.service.ask(on.links, { key: on.key }),
  create: async () => {
    const path = `made-${round}-${++count}`;
    const body = { name: 'Made', custom_path: path };
    return { ...(await on.service.ask(on.links, { method: 'POST', key: on.key, body })), path };
  },
  get: () => on.service.ask(`${on.links}/${link}`, { key: on.key }),
  'projects of another key': () => on.service.ask('/api/v1/projects', { key: otherKey }),
  visit: () => on.service.visit('ice', '/first'),
  ready: () => on.service.ask('/health/ready'),
  live: () => on.service.ask('/health/live'),
};

async function send(what: string): Promise<Sent> {
  const at = performance.now();
  return { what, at, ...(await requests[what]!()) };
}

/** Starts callers that send requests of every kind in turn, with short pauses, and one that only visits. */
function trickle(): { answers: readonly Sent[]; end: () => Promise<Sent[]> } {
  const answers: Sent[] = [];
  let over = false;
  const caller = async (kinds: string[], start: number): Promise<void> => {
    for (let turn = start; !over; turn++) {
      answers.push(await send(kinds[turn % kinds.length]!));
      await delay(50);
    }
  };
  const all = Array.from({ length: callers }, (_, start) => caller(Object.keys(requests), start));
  all.push(caller(['visit'], 0));
  const end = async (): Promise<Sent[]> => {
    over = true;
    await Promise.all(all);
    return answers;
  };
  return { answers, end };
}

const isSuccess = ({ status }: Answer): boolean => [200, 201, 302].includes(status);

const lists = ['list', 'projects of another key'];
const ofAnAccount = [...lists, 'create', 'get'];

function expectRefused({ what, status, headers, json, text }: Sent): void {
  // The request waited for the other requests of its account.
  if (status === 429 && ofAnAccount.includes(what)) {
    expect(json.error).toMatchObject({ code: 'RATE_LIMITED', details: { reason: 'concurrency' } });
    return;
  }
  expect([what, status, text]).toEqual([what, 503, expect.any(String)]);
  if (what === 'visit') {
    expect(headers['content-type']).toMatch(/^text\/html/);
    return;
  }
  if (what === 'ready') {
    expect(json.data).toMatchObject({ status: 'unready', checks: { database: 'down' } });
    return;
  }
  const refusal = { code: 'DATABASE_ERROR', message: expect.stringMatching(/\S/) as string };
  // A list looks too expensive if its time ends just before the database answers again, or because the machine stood still.
  const tooExpensive = { ...refusal, details: { reason: 'too_expensive' } };
  expect(lists.includes(what) ? [refusal, tooExpensive] : [refusal]).toContainEqual(json.error);
  expect(headers['x-request-id']).toBeTruthy();
  const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'].map((name) => headers[name]);
  expect([what, ...limits.map((value) => value !== undefined)]).toEqual([what, true, true, true]);
}

it('a database that is frozen for up to half a minute causes 503 within 5 s, and no error afterwards', () =>
  untilAvailable(async () => {
    round++;
    const { pid } = on.service;
    const traffic = trickle();
    const recovered: Sent[] = [];
    const wellAgain: Record<string, number> = {};
    let frozenAt = 0;
    let thawedAt = 0;
    let answers: Sent[];
    try {
      // A new process compiles its code meanwhile. On a busy machine, that delays answers by seconds.
      await until(() => traffic.answers.length >= 2 * callers * Object.keys(requests).length);
      on.cluster.freeze();
      frozenAt = performance.now();
      const frozenSteadyAt = steadyNow();
      await until(() => steadyNow() - frozenSteadyAt >= frozenFor, 10 * frozenFor);
      on.cluster.thaw();
      thawedAt = performance.now();
      for (const what of Object.keys(requests)) {
        await until(async () => {
          const answer = await send(what);
          recovered.push(answer);
          return isSuccess(answer);
        });
        wellAgain[what] = performance.now() - thawedAt;
      }
      await delay(Math.max(0, thawedAt + maxAnswerMs + 1000 - performance.now()));
    } finally {
      answers = await traffic.end();
    }

    const slowest = answers.reduce((slowest, answer) => (answer.tookSteady > slowest.tookSteady ? answer : slowest));
    const whileFrozen = answers.filter(({ at }) => at > frozenAt && at < thawedAt);
    console.info(
      `frozen: ${whileFrozen.length} requests, slowest answer ${Math.round(slowest.tookSteady)} ms ` +
        `(${slowest.what}, ${slowest.status}, sent ${Math.round(slowest.at - frozenAt)} ms after SIGSTOP), ` +
        `all well ${Math.round(Math.max(...Object.values(wellAgain)))} ms after SIGCONT`,
    );
    expect(slowest.tookSteady).toBeLessThan(maxAnswerMs);
    for (const answer of answers) if (!isSuccess(answer)) expectRefused(answer);
    expect(answers.filter(({ what, status }) => what === 'live' && status !== 200)).toEqual([]);
    // A cached link redirects during the outage.
    const visits = answers.filter(({ what }) => what === 'visit');
    expect(visits.filter(({ at }) => at > frozenAt && at < thawedAt).length).toBeGreaterThan(20);
    expect(visits.filter(({ status }) => status !== 302)).toEqual([]);

    const before = answers.filter(({ at, took }) => at + took < frozenAt);
    const late = answers.filter(({ at }) => at > thawedAt + maxAnswerMs);
    for (const sound of [before, late]) {
      expect(sound.length).toBeGreaterThan(10);
      // Readiness and requests of the API get 503 from a machine that stands still.
      expect(
        available(sound)
          .filter((answer) => !isSuccess(answer))
          .map(({ what, text }) => [what, text]),
      ).toEqual([]);
    }
    // Requests near the end may be answered after it.
    const ready = whileFrozen.filter(({ what, at }) => what === 'ready' && at + maxAnswerMs < thawedAt);
    expect(ready.length).toBeGreaterThan(2);
    expect(ready.filter(({ status }) => status !== 503)).toEqual([]);
    expect([on.service.pid, on.service.running]).toEqual([pid, true]);

    await expectWholeRows([...answers, ...recovered], thawedAt);
  }));

/** Expects one complete row for each 201, and at most one per caller without an answer. */
async function expectWholeRows(answers: Sent[], thawedAt: number): Promise<void> {
  const creates = answers.filter(({ what }) => what === 'create');
  const made = creates.filter(({ status }) => status === 201).map(({ path }) => path!);
  const rows = await on.cluster.query<{ custom_path: string; paths: number }>(
    `SELECT link.custom_path,
            (SELECT count(*)::int FROM link_paths p WHERE p.project_id = link.project_id AND p.path = link.custom_path
                AND p.dynamic_link_id = link.id) AS paths
     FROM dynamic_links link WHERE link.custom_path LIKE 'made-%'`,
  );
  const stored = rows.map((row) => row.custom_path).filter((path) => path.startsWith(`made-${round}-`));
  expect(new Set(stored).size).toBe(stored.length);
  expect(rows.filter(({ paths }) => paths !== 1)).toEqual([]);
  expect(made.filter((path) => !stored.includes(path))).toEqual([]);
  // The server runs what waited on its connections when it froze (docs/errors.md#database_error, “Retry”). It accepts no others.
  const afterwards = creates.filter(({ at, took }) => at + took > thawedAt).map(({ path }) => path!);
  const unanswered = stored.filter((path) => !made.includes(path) && !afterwards.includes(path));
  expect(unanswered.length).toBeLessThanOrEqual(callers);
  expect(await expectSoundCounts(on.cluster)).toBe(rows.length + 1);
}
