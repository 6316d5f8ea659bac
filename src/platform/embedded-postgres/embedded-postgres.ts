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
  /** true when this process started the server, false when it joined one already running. */
  readonly started: boolean;
  /** Gives up the server. It is shut down, fast, unless another process uses it too, whoever of them started it. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** Made when missing. Holds the data, or a note saying where they are (see `findServerHome`). */
  readonly dataDir: string;
  /** Passed as `-c name=value`; has no effect on a server that is joined. */
  readonly settings?: Record<string, string>;
  readonly log?: (message: string) => void;
  /** Starts the server again when it ends without having been told to. */
  readonly restart?: boolean;
}

/** Recovery after a crash may take a while; a start in good order takes a tenth of a second. */
const startTimeoutMs = 30_000;

/** Milliseconds between two looks at whether the server still runs. */
const checkIntervalMs = 500;

/**
 * A PostgreSQL of the caller's own, reached over a Unix socket. It ends with the last process that uses it, even when that one is
 * killed with -9. Which of several processes starts it, PostgreSQL itself decides by its lock file; the others join.
 *
 * @throws Error when this platform has no binaries, when the data belong to another user, when initdb fails, when the server ends
 * before it accepts connections (with the last lines of its log), or when it does not accept any within 30 seconds.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const home = await findServerHome(options.dataDir, log);
  const start = (): Promise<Claim> => startOrJoin(home, options.settings ?? {}, log);
  const server = await start();
  const { url, started } = server;
  if (!options.restart) return { url, started, stop: once(() => server.stop()) };
  const supervisor = new Supervisor(server, start, log);
  return { url, started, stop: once(() => supervisor.stop()) };
}

/** What this process has of a server: it may be the one that started it. */
interface Claim {
  readonly pid: number;
  readonly url: string;
  readonly started: boolean;
  stop(): Promise<void>;
}

async function startOrJoin(
  home: ServerHome,
  settings: Record<string, string>,
  log: (message: string) => void,
): Promise<Claim> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const running = await findRunningServer(join(home.directory, 'cluster'));
    const claim = running ? await tryToJoin(running, home, log) : await launch(home, settings, deadline, log);
    if (claim) return claim;
    await delay(50);
  }
  throw new Error(
    `PostgreSQL in ${home.directory} did not accept connections within ${startTimeoutMs / 1000} seconds.`,
  );
}

/** @returns null when it does not accept connections yet, or any more. */
async function tryToJoin(
  { ready, pid, url, socketDirectory }: RunningServer,
  home: ServerHome,
  log: (message: string) => void,
): Promise<Claim | null> {
  // The lease comes first: a server that is found well with it in hand is not stopped under our feet.
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

/** @returns null when another process was quicker, or a crashed server's last children have not left yet. */
async function launch(
  home: ServerHome,
  settings: Record<string, string>,
  deadline: number,
  log: (message: string) => void,
): Promise<Claim | null> {
  const binaries = await findBinaries(home);
  const cluster = await findOrCreateCluster(home, binaries, settings['fsync'] !== 'off');
  const socketDirectory = await makeSocketDirectory(home);
  const server = await ServerProcess.launch(home, { binaries, cluster, socketDirectory }, settings);

  while (!server.ended && Date.now() < deadline) {
    const running = await findRunningServer(cluster);
    // The server that answers may be another process's, while ours is about to give way to it.
    if (running?.ready && running.pid === server.pid && (await acceptsConnections(running.url))) {
      log(`Started PostgreSQL in ${home.directory}.`);
      return { pid: running.pid, url: running.url, started: true, stop: () => server.stop() };
    }
    await delay(20);
  }
  const lastWords = await server.lastWords();
  const gaveWay = server.ended && /lock file ".*" already exists|shared memory block .* still in use/.test(lastWords);
  await server.stop();
  if (!gaveWay) throw new Error(`PostgreSQL in ${home.directory} did not start. Its last words:\n${lastWords}`);
  if (!(await findRunningServer(cluster))) await removeStaleLocks(cluster, socketDirectory);
  return null;
}

/** Looks after a server, and starts it again, or joins who was quicker, when it ends without having been told to. */
class Supervisor {
  readonly #timer: NodeJS.Timeout;
  #restart: Promise<void> | null = null;

  constructor(
    private claim: Claim,
    private readonly start: () => Promise<Claim>,
    private readonly log: (message: string) => void,
  ) {
    this.#timer = setInterval(() => {
      if (!this.#restart && !isAlive(this.claim.pid)) this.#restart = this.#startAgain();
    }, checkIntervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#restart;
    await this.claim.stop();
  }

  async #startAgain(): Promise<void> {
    this.log('PostgreSQL ended by itself and is started again.');
    try {
      await this.claim.stop();
      this.claim = await this.start();
    } catch (error) {
      this.log((error as Error).message); // and tried again at the next look
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
