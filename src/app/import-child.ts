import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { ImportCounts, ImportProcesses } from '../imports/model/import-processes';
import type { Log } from '../platform/observability/log';
import { environmentWith } from './settings/config';

/**
 * Limits the heap, in megabytes. Hostile files of 30 MB leave the process below 148 MB in all (docs/decisions/0028-imports-and-
 * exports.md).
 */
const heap = ['--max-old-space-size=112', '--max-semi-space-size=8'];

/** Time between two looks for jobs of other processes, and before a process that has failed is started again. */
const lookIntervalMs = 1000;

/** The longest wait for the current batch at a stop. An interrupted batch is repeated by another process. */
const stopTimeoutMs = 5000;

/**
 * Starts a process of imports (`ROLE=import`) while there are jobs. It has its own memory, so that no input can end this process, and
 * ends after a minute without jobs.
 */
export class ImportChild extends ImportProcesses {
  override readonly counts = new ImportCounts();
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** A process that has failed is not started again at once. */
  #pausesUntil = 0;

  constructor(
    private readonly database: { url: string; directUrl: string },
    private readonly log: Log,
  ) {
    super();
  }

  override start(hasJobs: () => Promise<boolean>): void {
    this.#timer = setInterval(() => {
      if (this.#child) return;
      // The database is unavailable. The next look may succeed.
      const answer = hasJobs().catch(() => false);
      void answer.then((isFound) => isFound && this.wake());
    }, lookIntervalMs).unref();
  }

  override wake(): void {
    if (this.#isStopped) return;
    if (this.#child) return void (this.#child.connected && this.#child.send('wake'));
    if (performance.now() < this.#pausesUntil) return;
    // The program that this process runs, which is not in `dist` during development.
    const child = fork(process.argv[1]!, [], {
      execArgv: [...process.execArgv, ...heap],
      env: environmentWith({
        ROLE: 'import',
        DATABASE_URL: this.database.url,
        DATABASE_DIRECT_URL: this.database.directUrl,
        MIGRATE_ON_START: 'false',
        // It listens nowhere.
        PORT: '0',
        METRICS_PORT: undefined,
      }),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    // Visits and API calls come first on a busy machine, also while the child loads. Its threads inherit the priority.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    child.on('message', (since: ImportCounts) => {
      for (const name of Object.keys(since) as (keyof ImportCounts)[]) this.counts[name] += since[name];
    });
    child.on('error', (error) => this.#ended(child, error.message));
    child.on('exit', (code, signal) => this.#ended(child, code === 0 ? null : `it ended with ${signal ?? code}`));
  }

  override async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    const child = this.#child;
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  }

  #ended(child: ChildProcess, fault: string | null): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (fault === null || this.#isStopped) return;
    this.log.error(`the process of imports has failed, will be started again: ${fault}`);
    this.#pausesUntil = performance.now() + lookIntervalMs;
  }
}
