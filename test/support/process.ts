import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join, resolve } from 'node:path';
import { type Answer, ask, type RequestOptions } from './ask';
import { createDatabase, type TestDatabase } from './database';
import { becomesTrue } from './eventually';
import { SteadyClock } from './steady-clock';
import { limitsOfPrograms } from './time-limits';
import { fixture } from './fixtures';

const dist = resolve(__dirname, '../../dist');

type Script = 'main' | 'admin' | 'migrate';

interface SpawnOptions {
  args?: string[];
  /** The folder of the programs, if it is not that of the build. */
  folder?: string;
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
  #clock: SteadyClock | undefined;

  constructor(
    script: Script,
    environment: Record<string, string>,
    { args = [], folder = dist, uid }: SpawnOptions = {},
  ) {
    this.#child = spawn(process.execPath, [...limitsOfPrograms(), join(folder, `${script}.js`), ...args], {
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

  /** Ends the reader of the program's log, as a collector that crashes. */
  closeLog(): void {
    this.#child.stdout!.destroy();
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

  /**
   * Starts a clock that leaves out the stalls of this program and of the test, until the program ends. It measures `tookSteady` of
   * this program's answers. Its pings are probes, which need no database.
   */
  startSteadyClock(): void {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const clock = new SteadyClock(() => ask(this.port, { path: '/health/live', agent }));
    this.#clock = clock;
    void this.exit.then(() => clock.stop()).then(() => agent.destroy());
  }

  /** The time of `startSteadyClock` in milliseconds. */
  readonly steadyNow = (): number => this.#clock!.now();

  /** Sends a request on a new connection. */
  ask(path: string, options: Omit<RequestOptions, 'path'> = {}): Promise<Answer> {
    return ask(this.port, { path, ...(this.#clock && { now: this.steadyNow }), ...options });
  }

  visit(subdomain: string, path: string): Promise<Answer> {
    return this.ask(path, { headers: { Host: `${subdomain}.localhost` } });
  }
}

/** Kills the programs that a failed test left running. Call it in `afterAll`. */
export async function endAllPrograms(): Promise<void> {
  await Promise.all([...spawned].map((program) => program.kill()));
}

/** Prepares a database of programs, which end before it is dropped. */
export function databaseOfPrograms(): TestDatabase {
  afterAll(endAllPrograms);
  return fixture(() => createDatabase());
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
