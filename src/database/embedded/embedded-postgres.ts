import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries';
import { findOrCreateCluster } from './cluster';
import { acceptsConnections, findRunningServer, removeStaleLocks } from './running-server';
import { findServerHome, type ServerHome } from './server-home';
import { ServerProcess } from './server-process';
import { makeSocketDirectory } from './socket-directory';

export interface EmbeddedPostgres {
  /** e.g. `postgres://app@localhost:5432/postgres?host=%2Fpath%2Fto%2Fsocket&sslmode=disable` */
  readonly url: string;
  /** true when this process started the server, false when it joined one already running. */
  readonly started: boolean;
  /** Fast shutdown of a server that this process started; a server that was joined stays. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** Made when missing. Holds the data, or a note saying where they are (see `findServerHome`). */
  readonly dataDir: string;
  /** Passed as `-c name=value`; has no effect on a server that is joined. */
  readonly settings?: Record<string, string>;
  readonly log?: (message: string) => void;
}

/** Recovery after a crash may take a while; a start in good order takes a tenth of a second. */
const patience = 30_000;

/**
 * A PostgreSQL of the caller's own, reached over a Unix socket. It ends with the process that started it, even when that one is
 * killed with -9. Which of several processes starts it, PostgreSQL itself decides by its lock file; the others join.
 *
 * @throws Error when this platform has no binaries, when the data belong to another user, when initdb fails, when the server ends
 * before it accepts connections (with the last lines of its log), or when it does not accept any within 30 seconds.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const settings = options.settings ?? {};
  const deadline = Date.now() + patience;
  const home = await findServerHome(options.dataDir, log);

  while (Date.now() < deadline) {
    const running = await findRunningServer(join(home.directory, 'cluster'));
    if (running?.ready && (await acceptsConnections(running.url))) {
      log(`Joined the PostgreSQL that runs in ${home.directory}.`);
      return { url: running.url, started: false, stop: async () => undefined };
    }
    const started = running ? null : await launch(home, settings, deadline, log);
    if (started) return started;
    await delay(50);
  }
  throw new Error(`PostgreSQL in ${home.directory} did not accept connections within ${patience / 1000} seconds.`);
}

/** @returns null when another process was quicker, or a crashed server's last children have not left yet. */
async function launch(
  home: ServerHome,
  settings: Record<string, string>,
  deadline: number,
  log: (message: string) => void,
): Promise<EmbeddedPostgres | null> {
  const binaries = await findBinaries(home);
  const cluster = await findOrCreateCluster(home, binaries, settings['fsync'] !== 'off');
  const socketDirectory = await makeSocketDirectory(home);
  const server = await ServerProcess.launch(home, { binaries, cluster, socketDirectory }, settings);

  while (!server.ended && Date.now() < deadline) {
    const running = await findRunningServer(cluster);
    // The server that answers may be another process's, while ours is about to give way to it.
    if (running?.ready && running.pid === server.pid && (await acceptsConnections(running.url))) {
      return serving(server, running.url, home, log);
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

function serving(
  server: ServerProcess,
  url: string,
  home: ServerHome,
  log: (message: string) => void,
): EmbeddedPostgres {
  log(`Started PostgreSQL in ${home.directory}.`);
  let stopped: Promise<void> | null = null;
  server.onEnd(() => {
    if (!stopped)
      log(`PostgreSQL in ${home.directory} ended by itself; its log is ${join(home.directory, 'postgres.log')}.`);
  });
  return { url, started: true, stop: () => (stopped ??= server.stop()) };
}
