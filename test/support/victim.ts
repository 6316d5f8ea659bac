import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Plan } from '../../src/tenancy/accounts/plan';
import { createDatabase, type TestDatabase } from './database';
import { ask, type RequestOptions } from './ask';
import { endAllPrograms, Program } from './process';
import { createWhenAvailable } from './repeated-rounds';
import { aStoredKey, pepper, type StoredKey } from './stored-key';
import { useProductionTimeLimitsInPrograms } from './time-limits';

/** The environment of a process with the memory limit of the chart's pods: Node gives its heap half of the limit. */
const chartMemoryMb = 512;
const podEnvironment = { API_KEY_PEPPER: pepper, NODE_OPTIONS: `--max-old-space-size=${chartMemoryMb / 2}` };

/** The pauses between samples. Requests of the API are limited per key. */
const pauseMs = { link: 5, api: 20 };

/** The latencies at the 99th percentile that other accounts may always see. */
const maxLatencyMs = { link: 25, api: 500 };

/**
 * A slow machine exceeds them, so latencies may also be so many times those without an attack.
 *
 * Measured: seven times on a slow machine, and 12 to 43 times without pacing and without shares of the pool.
 */
const maxTimesQuiet = 10;

/** How often an attack may run. */
const maxRounds = 10;

/** How long the others are measured without an attack, in the service's first seconds and where an attack seems to slow them. */
const warmUpMs = 1000;
const quietMs = 3000;

/** Keys that take turns, so that none of them reaches its rate limit of 60 requests per minute. */
const keys = 40;

interface Samples {
  times: number[];
  statuses: Record<string, number>;
}

/** The experience of accounts other than the attacker's, in milliseconds and megabytes. */
interface Experience {
  link: ReturnType<typeof summary>;
  api: ReturnType<typeof summary>;
  /** The highest resident memory of the process while it was measured. */
  maxMemoryMb: number;
}

/** An account that attacks, with a project. */
export interface Attacker extends StoredKey {
  project: string;
  /** Creates a resource below the project, and returns its id. */
  create: (path: string, body: object) => Promise<string>;
}

/** A service with production limits in a pod of the chart, which other accounts use. */
export class AttackedService {
  #attackers = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly program: Program,
    readonly victim: Victim,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<AttackedService> {
    useProductionTimeLimitsInPrograms();
    const database = await createDatabase();
    const program = await Program.serving({ DATABASE_URL: database.url, ...podEnvironment, ...environment });
    return new AttackedService(database, program, await Victim.of(program, database));
  }

  async anAttacker(plan?: Plan): Promise<Attacker> {
    const stored = await aStoredKey(this.database, plan);
    const create = async (path: string, body: object) =>
      (await createWhenAvailable(this.program, path, stored.key, body)).id;
    const subdomain = `attacker-${++this.#attackers}`;
    const project = await create('/api/v1/projects', { name: 'Attacker', subdomain });
    return { ...stored, project, create: (path, body) => create(`/api/v1/projects/${project}${path}`, body) };
  }

  async stop(): Promise<void> {
    await endAllPrograms();
    await this.database.drop();
  }
}

/** Uses the service as other accounts do: opens a link and reads it by the API, all the time. */
class Victim {
  private constructor(
    private readonly service: Program,
    private readonly accounts: (StoredKey & { linkPath: string })[],
  ) {}

  static async of(service: Program, database: TestDatabase): Promise<Victim> {
    const accounts: (StoredKey & { linkPath: string })[] = [];
    for (let at = 0; at < keys; at++) {
      const stored = await aStoredKey(database);
      const create = (path: string, body: object) => createWhenAvailable(service, path, stored.key, body);
      const { id } = await create('/api/v1/projects', { name: 'Victim', subdomain: `victim-${at}` });
      const path = `/api/v1/projects/${id}/links`;
      const link = await create(path, { name: 'Known', custom_path: 'known', desktop_url: 'https://example.com/' });
      accounts.push({ ...stored, linkPath: `${path}/${link.id}` });
    }
    const victim = new Victim(service, accounts);
    await victim.experienceDuring(Promise.resolve(), warmUpMs); // A running service has compiled code.
    return victim;
  }

  /**
   * Expects that other accounts notice nothing of an attack: no wrong answer, hardly slower answers, bounded memory. A busy machine slows
   * everybody. So slow answers count only if others are much faster before and after the attack, and in each of the rounds. An answer 503
   * of a machine that stood still counts only in each of the rounds too.
   * @param minMs how long to measure at least
   * @param prepare runs before each round, and is not measured
   * @param isUnavailable returns true if the attacker got a 503 that a machine that stood still causes too
   */
  async expectUnharmed<T>(
    attack: () => Promise<T>,
    {
      minMs = 0,
      prepare = async () => {},
      isUnavailable = () => false,
    }: { minMs?: number; prepare?: () => Promise<void>; isUnavailable?: (attack: T) => boolean } = {},
  ): Promise<Experience & { attack: T }> {
    let before: Experience[] = [];
    for (let round = 1; ; round++) {
      await prepare();
      const during = await this.experienceDuring(attack(), minMs);
      expect(during.maxMemoryMb).toBeLessThan(chartMemoryMb);
      const { 302: _redirects, 503: ofLinks, ...wrongOfLinks } = during.link.statuses;
      const { 200: _successes, 503: ofApi, ...wrongOfApi } = during.api.statuses;
      expect([wrongOfLinks, wrongOfApi]).toEqual([{}, {}]);
      // A machine that stands still for longer than the time limits of requests causes an answer 503 too.
      if (ofLinks || ofApi || isUnavailable(during.attack)) {
        console.info(`${written(during)}; 503 in round ${round}`);
        expect(round).toBeLessThan(maxRounds);
        continue;
      }
      if (slowdown(during) < 1) return during;
      const after = await this.experienceDuring(Promise.resolve(), quietMs);
      console.info(`${written(during)}; after the attack: ${written(after)}`);
      const slowed = slowdown(during, ...before, after);
      if (slowed < 1) return during;
      if (round === maxRounds) expect(slowed).toBeLessThan(1);
      before = [after];
    }
  }

  /** Measures until `attack` settles, and for at least `minMs`. */
  private async experienceDuring<T>(attack: Promise<T>, minMs: number): Promise<Experience & { attack: T }> {
    let ended = false;
    const startedAt = performance.now();
    const result = attack.finally(() => (ended = true));
    result.catch(() => {}); // awaited below
    const goesOn = () => !ended || performance.now() - startedAt < minMs;
    const link: Samples = { times: [], statuses: {} };
    const api: Samples = { times: [], statuses: {} };
    let maxMemoryMb = 0;
    const sample = async (
      samples: Samples,
      pause: number,
      requestOf: (at: number) => Omit<RequestOptions, 'agent'>,
    ) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let at = 0; goesOn(); at++) {
        const { status, took } = await ask(this.service.port, { ...requestOf(at), agent });
        samples.times.push(took);
        samples.statuses[status] = (samples.statuses[status] ?? 0) + 1;
        maxMemoryMb = Math.max(maxMemoryMb, this.service.residentMemory() / 1024 ** 2);
        await delay(pause);
      }
      agent.destroy();
    };
    await Promise.all([
      sample(link, pauseMs.link, (at) => ({ path: '/known', headers: { Host: `victim-${at % keys}.localhost` } })),
      sample(api, pauseMs.api, (at) => {
        const { key, linkPath } = this.accounts[at % keys]!;
        return { path: linkPath, key };
      }),
    ]);
    return { link: summary(link), api: summary(api), maxMemoryMb: Math.round(maxMemoryMb), attack: await result };
  }
}

/** Returns the latency as a share of what is allowed: the fixed limits, or more if the latencies without an attack are long too. */
function slowdown(during: Experience, ...quiet: Experience[]): number {
  const share = (of: 'link' | 'api') =>
    during[of].p99 / Math.max(maxLatencyMs[of], ...quiet.map((experience) => maxTimesQuiet * experience[of].p99));
  return Math.max(share('link'), share('api'));
}

/** Writes an experience for the output of a test. */
export const written = ({ link, api, maxMemoryMb }: Experience): string =>
  `others: links p50 ${link.p50} ms, p99 ${link.p99} ms, API p99 ${api.p99} ms, ${maxMemoryMb} MB`;

const summary = ({ times, statuses }: Samples) => ({
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  statuses,
});

const percentile = (times: number[], share: number): number =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length * share)]! * 10) / 10;
