import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { maxWaitMs } from './eventually';

const dist = resolve(__dirname, '../../dist');

type Script = 'main' | 'admin' | 'migrate';

interface SpawnOptions {
  args?: string[];
  /** User and group to run as; needs root. */
  uid?: number;
}

/** Programs that may still run. */
const spawned = new Set<Program>();

/** A separate process of the built program, as in production. Its environment contains only the given variables and PATH. */
export class Program {
  stdout = '';
  stderr = '';
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child: ChildProcess;
  #port: number | undefined;

  constructor(script: Script, environment: Record<string, string>, { args = [], uid }: SpawnOptions = {}) {
    this.#child = spawn(process.execPath, [join(dist, `${script}.js`), ...args], {
      cwd: '/',
      env: {
        PATH: process.env['PATH'],
        HOST: '127.0.0.1',
        PORT: '0',
        RATE_LIMIT_PER_MINUTE: '1000000000',
        PERSON_RATE_LIMIT_PER_MINUTE: '1000000000',
        CLICK_RETENTION_MONTHS: '120',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    spawned.add(this);
    this.exit = once(this.#child, 'close').then(([code, signal]: unknown[]) => {
      spawned.delete(this);
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  /** Starts the program and waits until it listens. */
  static async serving(environment: Record<string, string>, options?: SpawnOptions): Promise<Program> {
    const program = new Program('main', environment, options);
    await program.listening();
    return program;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The parsed log lines, without other output. */
  get logLines(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  get port(): number {
    this.#port ??= this.logLines.find(({ message }) => message === 'listening')?.['port'] as number | undefined;
    if (this.#port === undefined) throw new Error(`The program does not listen: ${this.stdout}${this.stderr}`);
    return this.#port;
  }

  async listening(timeoutMs = 300_000): Promise<number> {
    const listens = (): boolean => /"message":"listening".*\n/.test(this.stdout);
    await becomesTrue(() => listens() || !this.running, timeoutMs);
    return this.port;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Sends SIGTERM, and SIGKILL after two minutes. Returns the exit code or signal. */
  async stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    const tooLong = setTimeout(() => this.signal('SIGKILL'), 120_000);
    this.signal('SIGTERM');
    const exit = await this.exit;
    clearTimeout(tooLong);
    return exit;
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exit;
  }

  /** Returns the resident set size in bytes. */
  residentMemory(): number {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  }

  /** Sends a request on a new connection. */
  ask(path: string, options: Omit<RequestOptions, 'path'> = {}): Promise<Answer> {
    return ask(this.port, { path, ...options });
  }

  visit(subdomain: string, path: string): Promise<Answer> {
    return this.ask(path, { headers: { Host: `${subdomain}.localhost` } });
  }
}

/** Kills the programs that a failed test left running. Call it in `afterAll`. */
export async function endAllPrograms(): Promise<void> {
  await Promise.all([...spawned].map((program) => program.kill()));
}

/**
 * Runs a program and returns its output.
 * @throws Error if the exit code is not 0
 */
export type RunProgram = (script: Script, environment: Record<string, string>, ...args: string[]) => Promise<string>;

export const run: RunProgram = async (script, environment, ...args) => {
  const program = new Program(script, environment, { args });
  const { code } = await program.exit;
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}: ${program.stderr}`);
  return program.stdout;
};

export interface ShellAccount {
  account: { id: string };
  api_key: { id: string; key: string };
}

/** Creates an account with the admin command, as an operator does. */
export async function anAccountByShell(environment: Record<string, string>, plan = 'pro'): Promise<ShellAccount> {
  return JSON.parse(
    await run('admin', environment, 'account', 'create', '--name', 'Test', '--plan', plan, '--json'),
  ) as ShellAccount;
}

interface RequestOptions {
  path: string;
  method?: string;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  agent?: Agent;
  /** Two minutes by default. */
  timeoutMs?: number;
}

export interface Answer {
  /** 0 if the connection was refused or broke. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: { data: Record<string, unknown>; error?: { code: string; message: string } };
  /** The time until the last byte in milliseconds. */
  took: number;
  /** The same by `steadyNow`, for upper limits. */
  tookSteady: number;
}

const tickMs = 5;
const maxCountedMs = 10;
let steadyMs = 0;
let ticking = false;

/** These do not change when a test fakes them. */
const { setInterval: realInterval, performance: realPerformance } = globalThis;
const realNow = realPerformance.now.bind(realPerformance);

/**
 * Returns milliseconds without the stalls of a busy machine: ticks come every 5 ms, and each counts 10 at most. So limits of seconds
 * hold on a machine whose processor is shared. Time begins with the first call.
 */
export function steadyNow(): number {
  if (!ticking) {
    ticking = true;
    let last = realNow();
    realInterval(() => {
      const now = realNow();
      steadyMs += Math.min(now - last, maxCountedMs);
      last = now;
    }, tickMs).unref();
  }
  return steadyMs;
}

/** Sends a request. Never rejects, and returns the status 0 if no response arrives in time. */
export function ask(
  port: number,
  { path, method = 'GET', key, body, headers = {}, agent, timeoutMs = maxWaitMs }: RequestOptions,
): Promise<Answer> {
  const [startedAt, startedSteady] = [performance.now(), steadyNow()];
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const done = (status: number, headers: IncomingHttpHeaders, text: string): void => {
      const json = ((headers['content-type'] ?? '').includes('json') ? JSON.parse(text) : {}) as Answer['json'];
      const [took, tookSteady] = [performance.now() - startedAt, steadyNow() - startedSteady];
      resolve({ status, headers, text, json, took, tookSteady });
    };
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: agent ?? false,
      headers: {
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(payload !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
    });
    const tooLong = setTimeout(
      () => outgoing.destroy(new Error(`There was no response within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    outgoing.on('close', () => clearTimeout(tooLong));
    outgoing.on('error', (error) => done(0, {}, error.message));
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done(response.statusCode!, response.headers, text));
      response.on('error', (error) => done(0, {}, error.message));
    });
    outgoing.end(payload);
  });
}

/** Below the ports that the kernel gives to connections, because any of these may be taken before the program listens. */
const [firstPort, endOfPorts] = [12_000, 32_000];
/** The first one of a range is that of its guard. */
const portsPerProcess = 100;
let portRange: Promise<number> | undefined;
let portsTaken = 0;

/**
 * Returns a port for a program that needs a configured one. No other process gets it from this function, also of another run, and nothing
 * listens there.
 * @throws Error if all ports of this process are taken
 */
export async function freePort(): Promise<number> {
  const first = await (portRange ??= claimPorts());
  for (let attempt = 1; attempt < portsPerProcess; attempt++) {
    const port = first + 1 + (portsTaken++ % (portsPerProcess - 1));
    const server = await listenOn(port);
    if (!server) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`Programs listen on all ports from ${first + 1} to ${first + portsPerProcess - 1}. End them.`);
}

/** Claims a range of ports by listening on its first one until this process ends. */
async function claimPorts(): Promise<number> {
  for (let first = firstPort; first < endOfPorts; first += portsPerProcess) {
    const guard = await listenOn(first);
    if (!guard) continue;
    guard.unref();
    return first;
  }
  throw new Error(`Other processes claim all ports from ${firstPort} to ${endOfPorts - 1}. End them.`);
}

/** Returns null if the port is taken. */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}

/**
 * Polls a condition and returns whether it became true in time.
 * @param now the clock that measures `timeoutMs`
 */
export async function becomesTrue(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = maxWaitMs,
  now: () => number = () => performance.now(),
): Promise<boolean> {
  const end = now() + timeoutMs;
  while (now() < end) {
    if (await condition()) return true;
    await delay(25);
  }
  return condition();
}

/**
 * Waits until a condition is true.
 * @throws Error after `timeoutMs`
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = maxWaitMs,
  now?: () => number,
): Promise<void> {
  if (!(await becomesTrue(condition, timeoutMs, now)))
    throw new Error(`The condition was not met within ${timeoutMs} ms: ${condition.toString()}`);
}

/** Returns whether the process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  const [state] = statOf(pid) ?? [];
  return state !== undefined && state !== 'Z';
}

/**
 * Returns the session of a process. Ctrl-C ends only processes in the session of the terminal.
 * @throws Error if the process has ended
 */
export function sessionOf(pid: number): number {
  const stat = statOf(pid);
  if (!stat) throw new Error(`There is no process ${pid}.`);
  return Number(stat[3]);
}

export function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name));
  return pids.map(Number).filter((candidate) => Number(statOf(candidate)?.[1]) === pid);
}

/** Returns the state of a process, the id of its parent and so on (`man 5 proc`); null if it has ended, also during the call. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
