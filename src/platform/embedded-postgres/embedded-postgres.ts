import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries';
import { findOrCreateCluster } from './cluster';
import { UsageLock } from './usage-lock';
import { acceptsConnections, findRunningServer, removeStaleLocks, type RunningServer } from './running-server';
import { findServerHome, type ServerHome } from './server-home';
import { ServerProcess } from './server-process';
import { makeSocketDirectory } from './socket-directory';

export interface EmbeddedPostgres {
  /** e.g. `postgres://app@localhost:5432/postgres?host=%2Fpath%2Fto%2Fsocket&sslmode=disable` */
  readonly url: string;
  /** Whether this process started the server; false if it joined a running one. */
  readonly started: boolean;
  /** Releases the server, and shuts it down unless another process uses it. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** Created if missing. Contains the data, unless PostgreSQL's user cannot enter it (see `findServerHome`). */
  readonly dataDir: string;
  /** Passed as `-c name=value`; has no effect on a joined server. */
  readonly settings?: Record<string, string>;
  readonly log?: (message: string) => void;
  /** Restarts the server if it ends unexpectedly. */
  readonly restart?: boolean;
}

/** As `pg_ctl start` waits, which is long enough for recovery after a crash. Measured: a normal start takes 0.1 s. */
const startTimeoutMs = 60_000;

const checkIntervalMs = 500;

/** The log of a server that found another one with the data open. A lock file is empty before that one has written its process id. */
const foundOther = /lock file ".*" (?:already exists|is empty)|shared memory block .* still in use/;

/**
 * Starts or joins a PostgreSQL that listens on a Unix socket. It ends with the last process that uses it, even if that process is
 * killed with SIGKILL. If several processes start at once, PostgreSQL's lock file selects one, and the others join.
 *
 * @throws Error if this platform has no binaries, the data belong to another user, or initdb fails
 * @throws Error with the end of the server's log if the server ends before it accepts connections
 * @throws Error if the server does not accept connections within 60 seconds of its start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const home = await findServerHome(options.dataDir, log);
  const start = (): Promise<ServerUse> => startOrJoin(home, options.settings ?? {}, log);
  const server = await start();
  const { url, started } = server;
  if (!options.restart) return { url, started, stop: once(() => server.stop()) };
  const supervisor = new Supervisor(server, start, log);
  return { url, started, stop: once(() => supervisor.stop()) };
}

/** The use of a server by this process, which may have started or joined it. */
interface ServerUse {
  readonly pid: number;
  readonly url: string;
  readonly started: boolean;
  stop(): Promise<void>;
}

async function startOrJoin(
  home: ServerHome,
  settings: Record<string, string>,
  log: (message: string) => void,
): Promise<ServerUse> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const running = await findRunningServer(join(home.directory, 'cluster'));
    const use = running ? await tryToJoin(running, home, log) : await launch(home, settings, log);
    if (use) return use;
    await delay(50);
  }
  throw new Error(acceptedNoConnections(home));
}

const acceptedNoConnections = (home: ServerHome): string =>
  `PostgreSQL in ${home.directory} did not accept connections within ${startTimeoutMs / 1000} seconds`;

/** @returns null if the server does not accept connections yet, or no longer does */
async function tryToJoin(
  { ready, pid, url, socketDirectory }: RunningServer,
  home: ServerHome,
  log: (message: string) => void,
): Promise<ServerUse | null> {
  // The lock comes first, because a locked server is not stopped after the check.
  const lock = ready ? UsageLock.acquire(socketDirectory) : null;
  if (!lock) return null;
  if (!(await acceptsConnections(url))) {
    lock.release();
    return null;
  }
  log(`Joined the PostgreSQL that runs in ${home.directory}.`);
  const stop = async (): Promise<void> => {
    if (!lock.release()) return;
    for (const end = Date.now() + startTimeoutMs; isAlive(pid) && Date.now() < end;) await delay(20);
  };
  return { pid, url, started: false, stop };
}

/** @returns null if another process was faster, or the last children of a crashed server still run */
async function launch(
  home: ServerHome,
  settings: Record<string, string>,
  log: (message: string) => void,
): Promise<ServerUse | null> {
  const binaries = await findBinaries(home);
  const cluster = await findOrCreateCluster(home, binaries, settings['fsync'] !== 'off');
  const socketDirectory = await makeSocketDirectory(home);
  const server = await ServerProcess.launch(home, { binaries, cluster, socketDirectory }, settings);

  // The first start has created the cluster, which takes as long as it takes. So the wait begins here.
  const deadline = Date.now() + startTimeoutMs;
  while (!server.ended && Date.now() < deadline) {
    const running = await findRunningServer(cluster);
    // The server that answers may belong to another process, while this one is about to end because of it.
    if (running?.ready && running.pid === server.pid && (await acceptsConnections(running.url))) {
      log(`Started PostgreSQL in ${home.directory}.`);
      return { pid: running.pid, url: running.url, started: true, stop: () => server.stop() };
    }
    await delay(20);
  }
  const lastLines = await server.lastLogLines();
  const hasEnded = server.ended;
  const lostToOther = hasEnded && foundOther.test(lastLines);
  await server.stop();
  if (!lostToOther) {
    const fault = hasEnded ? `PostgreSQL in ${home.directory} did not start` : acceptedNoConnections(home);
    throw new Error(`${fault}. Its log ends with:\n${lastLines}`);
  }
  if (!(await findRunningServer(cluster))) await removeStaleLocks(cluster, socketDirectory);
  return null;
}

/** Supervises a server. If it ends unexpectedly, starts it again, or joins the server that another process started. */
class Supervisor {
  readonly #timer: NodeJS.Timeout;
  #restart: Promise<void> | null = null;

  constructor(
    private use: ServerUse,
    private readonly start: () => Promise<ServerUse>,
    private readonly log: (message: string) => void,
  ) {
    this.#timer = setInterval(() => {
      if (!this.#restart && !isAlive(this.use.pid)) this.#restart = this.#startAgain();
    }, checkIntervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#restart;
    await this.use.stop();
  }

  async #startAgain(): Promise<void> {
    this.log('PostgreSQL ended unexpectedly and is started again.');
    try {
      await this.use.stop();
      this.use = await this.start();
    } catch (error) {
      this.log((error as Error).message); // the next check tries again
    } finally {
      this.#restart = null;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}
