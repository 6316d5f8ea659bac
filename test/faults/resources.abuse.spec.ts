import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '../support/database';
import { anAccountByShell, ask, endAllPrograms, Program, until } from '../support/process';

jest.setTimeout(180_000);

const clients = 4;
/** Milliseconds that each client rests between two requests. */
const rest = 2;
/** Milliseconds of one side of a round: without abuse, then with it. */
const side = 1500;
/** A ratio is looked at after so many rounds; a noisy machine gets more of them. */
const [fewest, most] = [5, 15];
const largestRatio = 2;
/** Megabytes: what the chart gives a pod. */
const mostMemory = 512;

let database: TestDatabase;
let service: Program;
let key: string;
let link: string;
let abuser: ChildProcess | undefined;

beforeAll(async () => {
  requireFiles(10_500);
  database = await createDatabase();
  const environment = { DATABASE_URL: database.url };
  service = await Program.serving(environment);
  key = (await anAccountByShell(environment)).api_key.key;
  const post = async (path: string, body: object): Promise<string> =>
    String((await service.ask(path, { method: 'POST', key, body })).json.data['id']);
  const project = await post('/api/v1/projects', { name: 'Abuse', subdomain: 'abused' });
  const links = `/api/v1/projects/${project}/links`;
  link = `${links}/${await post(links, { name: 'Known', custom_path: 'known', desktop_url: 'https://example.com/' })}`;
  await latencies(3000);
});
afterEach(() => endAbuse());
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

/** Node raises its own limit as far as the system lets it. */
function requireFiles(files: number): void {
  const [, , hard] = /^Max open files +(\S+) +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  if (hard !== 'unlimited' && Number(hard) < files)
    throw new Error(
      `10,000 connections need ${files} open files, and ${hard} are allowed: ulimit -Hn ${files}, or more`,
    );
}

/** Starts it, and returns when it is at its worst. */
async function abuse(kind: string, atItsWorst: (said: Said) => boolean): Promise<() => Said> {
  const child = spawn(
    process.execPath,
    [join(__dirname, '../support/hostile-client.mjs'), String(service.port), key, kind],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  abuser = child;
  let said: Said = { open: 0, answers: {} };
  child.stdout.setEncoding('utf8').on('data', (line: string) => (said = JSON.parse(line) as Said));
  await until(() => atItsWorst(said), 60_000);
  return () => said;
}

async function endAbuse(): Promise<void> {
  const child = abuser;
  abuser = undefined;
  if (child?.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

interface Said {
  open: number;
  answers: Record<string, number>;
}

/** Milliseconds that well-behaved clients wait for each of their answers. All must be right. */
async function latencies(milliseconds: number): Promise<number[]> {
  const end = performance.now() + milliseconds;
  const times: number[] = [];
  const client = async (at: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (performance.now() < end) {
      const { status, took } =
        at % 2 === 0
          ? await ask(service.port, { path: link, key, agent })
          : await ask(service.port, { path: '/known', headers: { Host: 'abused.localhost' }, agent });
      expect(status).toBe(at % 2 === 0 ? 200 : 302);
      times.push(took);
      await delay(rest);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  return times;
}

const percentile = (times: number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)]!;

const median = (numbers: number[]): number => percentile(numbers, 0.5);

const megabytes = (): number => service.residentMemory() / 1024 ** 2;

describe.each<{ kind: string; atItsWorst: (said: Said) => boolean; refusals: string[] }>([
  { kind: 'large-bodies', atItsWorst: ({ open }) => open >= 6, refusals: ['413'] },
  { kind: 'slow-heads', atItsWorst: ({ open }) => open >= 950, refusals: ['408'] },
  { kind: 'idle-connections', atItsWorst: ({ open }) => open >= 9900, refusals: ['302', '408'] },
  { kind: 'deep-json', atItsWorst: ({ answers }) => (answers['400'] ?? 0) > 20, refusals: ['400'] },
])('$kind', ({ kind, atItsWorst, refusals }) => {
  it('leave others their p99, within a factor of two, and memory within bounds', async () => {
    const without: number[] = [];
    const ratios: number[] = [];
    const withAbuse: number[] = [];
    const answers: Record<string, number> = {};
    let memory = megabytes();
    let requests = 0;
    while (ratios.length < fewest || (median(ratios) >= largestRatio && ratios.length < most)) {
      const quiet = await latencies(side);
      const said = await abuse(kind, atItsWorst);
      const loud = await latencies(side);
      memory = Math.max(memory, megabytes());
      for (const [status, times] of Object.entries(said().answers)) answers[status] = (answers[status] ?? 0) + times;
      await endAbuse();
      await delay(500);
      requests += quiet.length + loud.length;
      without.push(percentile(quiet, 0.99));
      withAbuse.push(percentile(loud, 0.99));
      ratios.push(withAbuse.at(-1)! / without.at(-1)!);
    }
    console.info(
      `${kind}: p99 ${median(withAbuse).toFixed(1)} ms against ${median(without).toFixed(1)} ms without, ratio ` +
        `${median(ratios).toFixed(2)} (${ratios.length} rounds, ${requests} requests of others), ` +
        `${Math.round(memory)} MB, abuser was answered ${JSON.stringify(answers)}`,
    );
    expect(median(ratios)).toBeLessThan(largestRatio);
    expect(memory).toBeLessThan(mostMemory);
    expect(Object.keys(answers).filter((status) => !refusals.includes(status))).toEqual([]);
    expect(service.running).toBe(true);
  });
});
