import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageLock, lockPath, makeLockFile } from './usage-lock';
import type { ServerHome } from './server-home';
import { asUser, ownUid } from './server-user';
import { port } from './socket-directory';

/**
 * Starts the server and waits for it; its process id goes to stdout. A second shell, the watcher, reads from the FIFO that is
 * its first argument. That comes to its end when every lease is given back, because we said so or because we were killed
 * with -9: then it asks for a fast shutdown, after ten seconds for an immediate one, and after fifteen it kills. It closes the
 * FIFO first, so that nobody takes a lease on a server that is leaving. Each child is waited for, as PID 1 of a container may
 * not do it.
 */
const supervisor = `
exec 3<"$1"
shift
"$@" </dev/null >&2 3<&- &
server=$!
echo "$server"
(
  exec >/dev/null 2>&1
  read -r _ <&3
  exec 3<&-
  trap 'kill "$nap"; wait "$nap"; exit' TERM
  kill -INT "$server"; sleep 10 & nap=$!; wait "$nap"
  kill -QUIT "$server"; sleep 5 & nap=$!; wait "$nap"
  kill -KILL "$server"
) &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill "$watcher"
wait "$watcher"
exit "$status"`;

const alwaysSet = {
  listen_addresses: '',
  port: String(port),
  unix_socket_permissions: '0700',
  logging_collector: 'off',
};
const development = { max_connections: '100', shared_buffers: '64MB' };

/** One `postgres` of our own, running or ended. */
export class ServerProcess {
  private constructor(
    private readonly supervisor: ChildProcess,
    private readonly log: FileHandle,
    private readonly logStart: number,
    private readonly lock: UsageLock,
    readonly pid: number | null,
  ) {}

  /** Returns as soon as it runs, long before it accepts connections. */
  static async launch(
    home: ServerHome,
    paths: { binaries: string; cluster: string; socketDirectory: string },
    settings: Record<string, string>,
  ): Promise<ServerProcess> {
    const socketDirectories = `"${paths.socketDirectory.replaceAll('"', '""')}"`;
    const all = { ...development, ...settings, ...alwaysSet, unix_socket_directories: socketDirectories };
    const command = [
      ...[join(paths.binaries, 'bin/postgres'), '-D', paths.cluster],
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const log = await openLog(home);
    const logStart = (await log.stat()).size;
    await makeLockFile(paths.socketDirectory, home.user);
    const { lock, watched } = UsageLock.acquireFirst(paths.socketDirectory);
    const child = spawn('/bin/sh', ['-c', supervisor, 'sh', lockPath(paths.socketDirectory), ...command], {
      ...asUser(home.user),
      // A session of its own: Ctrl-C in the terminal is for us, and we still need the server while we drain.
      detached: true,
      stdio: ['ignore', 'pipe', log.fd],
    });
    const [firstLine] = (await Promise.race([once(child.stdout!, 'data'), once(child, 'close')])) as [unknown];
    child.stdout!.destroy();
    watched();
    // The server does not keep us alive: a script that forgets to stop it ends all the same, and the server with it.
    child.unref();
    return new ServerProcess(child, log, logStart, lock, Number.parseInt(String(firstLine), 10) || null);
  }

  get ended(): boolean {
    return this.supervisor.exitCode !== null || this.supervisor.signalCode !== null;
  }

  /**
   * Fast shutdown; open transactions are rolled back. Returns when the server is gone, after 15 seconds at the latest; at once
   * when others use it, for whom it goes on.
   */
  async stop(): Promise<void> {
    const exit = this.ended ? null : once(this.supervisor, 'exit');
    if (this.lock.release() && exit) {
      this.supervisor.ref();
      await exit;
    }
    await this.log.close().catch(() => undefined); // closed before
  }

  /** The last lines the server wrote since it was launched. */
  async lastWords(lines = 15): Promise<string> {
    const length = (await this.log.stat()).size - this.logStart;
    const { buffer } = await this.log.read({ buffer: Buffer.alloc(Math.max(length, 1)), position: this.logStart });
    return buffer.toString('utf8', 0, length).trimEnd().split('\n').slice(-lines).join('\n');
  }
}

async function openLog(home: ServerHome): Promise<FileHandle> {
  const path = join(home.directory, 'postgres.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > 10_000_000) await rename(path, `${path}.1`);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const log = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (ownUid() !== home.user.uid) await log.chown(home.user.uid, home.user.gid);
  return log;
}
