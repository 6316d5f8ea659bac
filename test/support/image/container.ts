import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { becomesTrue, maxWaitMs } from '../eventually';
import { childrenOf } from '../running-processes';
import { steadyNow } from '../steady-now';

interface Result {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

const running = new Set<Container>();

/** A command in the root file system of an image, as process 1 of a PID namespace. */
export class Container {
  readonly exit: Promise<Result>;
  readonly #child: ChildProcess;
  readonly #environment: Record<string, string>;
  #stdout = '';
  #stderr = '';

  constructor(args: string[], environment: Record<string, string>) {
    this.#environment = environment;
    this.#child = spawn(join(__dirname, 'run.sh'), args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    running.add(this);
    this.exit = once(this.#child, 'close').then(([code, signal]: unknown[]) => {
      running.delete(this);
      return {
        code: code as number | null,
        signal: signal as NodeJS.Signals | null,
        stdout: this.#stdout,
        stderr: this.#stderr,
      };
    });
  }

  get output(): string {
    return this.#stdout + this.#stderr;
  }

  /** Waits for the text in the output. Returns false if the container ends or the time is over. */
  async writes(text: string, timeoutMs: number): Promise<boolean> {
    const ended = (): boolean => this.#child.exitCode !== null || this.#child.signalCode !== null;
    await becomesTrue(() => this.output.includes(text) || ended(), timeoutMs);
    return this.output.includes(text);
  }

  /** The process id of process 1 on the host. */
  get pid(): number {
    const [pid] = childrenOf(this.#child.pid!);
    if (pid === undefined) throw new Error(`The container does not run: ${this.output}`);
    return pid;
  }

  /** Returns a line of `/proc/<pid>/status`, with its values separated by one space. */
  status(name: string): string {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)![1]!.replace(/\s+/g, ' ');
  }

  /** Mount points that are not read-only, except /proc and the devices. */
  get writableMounts(): string[] {
    return readFileSync(`/proc/${this.pid}/mountinfo`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => /^\S+ \S+ \S+ \S+ (\S+) (\S+)/.exec(line)!.slice(1) as [path: string, options: string])
      .filter(([path, options]) => !options.split(',').includes('ro') && !/^\/(proc$|dev\/)/.test(path))
      .map(([path]) => path);
  }

  get commandLine(): string[] {
    return readFileSync(`/proc/${this.pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  }

  /** Runs another command in the running container as the same user. */
  execute(command: string[]): Result {
    const user = this.status('Uid').split(' ')[0]!;
    const namespaces = ['--target', String(this.pid), '--mount', '--pid', '--ipc', '--uts', '--root', '--wd'];
    const identity = [`--setgid=${user}`, `--setuid=${user}`];
    const { status, signal, stdout, stderr } = spawnSync('nsenter', [...namespaces, ...identity, '--', ...command], {
      encoding: 'utf8',
      env: this.#environment,
      timeout: maxWaitMs,
    });
    return { code: status, signal, stdout, stderr };
  }

  /** Sends a signal to process 1, and SIGKILL after the limit of all waits. The time is that without stalls of the machine. */
  async stop(signal: NodeJS.Signals): Promise<Result & { tookSteady: number }> {
    const { pid } = this;
    const tooLong = setTimeout(() => process.kill(pid, 'SIGKILL'), maxWaitMs);
    const startedAt = steadyNow();
    process.kill(pid, signal);
    const result = await this.exit;
    clearTimeout(tooLong);
    return { ...result, tookSteady: steadyNow() - startedAt };
  }

  /** Ends process 1 itself, because a change of user cancels `--kill-child`. */
  kill(): void {
    for (const pid of childrenOf(this.#child.pid!)) process.kill(pid, 'SIGKILL');
    this.#child.kill('SIGKILL');
  }
}

/** Kills the containers that a failed test left running. */
export async function endAllContainers(): Promise<void> {
  await Promise.all(
    [...running].map((container) => {
      container.kill();
      return container.exit;
    }),
  );
}
