import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageLock, lockPath, makeLockFile } from './usage-lock';
import type { ServerHome } from './server-home';
import { asUser, ownUid } from './server-user';
import { port } from './socket-directory';

/**
 * Starts the server, writes its process id to stdout and waits for it. A second shell, the watcher, reads from the FIFO in the
 * first argument. The read ends when every usage lock is released, also if the last process is killed with SIGKILL.
 *
 * The watcher then closes the FIFO, so that no process can lock a stopping server. It sends SIGINT (fast shutdown), after 10 s
 * SIGQUIT (immediate), and after 15 s SIGKILL. The shells wait for each child, because PID 1 of a container may not do so.
 */
const supervisorScript = `
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

/** A child process that runs or ran `postgres`. */
export class ServerProcess {
  private constructor(
    private readonly supervisor: ChildProcess,
    private readonly log: FileHandle,
    private readonly logStart: number,
    private readonly lock: UsageLock,
    readonly pid: number | null,
  ) {}

  /** Launches the server, and returns before it accepts connections. */
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
    const { lock, watcherReads } = UsageLock.acquireFirst(paths.socketDirectory);
    const child = spawn('/bin/sh', ['-c', supervisorScript, 'sh', lockPath(paths.socketDirectory), ...command], {
      ...asUser(home.user),
      // A separate session, because Ctrl-C in the terminal must not stop the server while this process drains.
      detached: true,
      stdio: ['ignore', 'pipe', log.fd],
    });
    const [firstLine] = (await Promise.race([once(child.stdout!, 'data'), once(child, 'close')])) as [unknown];
    child.stdout!.destroy();
    watcherReads();
    // The server does not keep this process alive. A script that does not stop it still ends, and the server with it.
    child.unref();
    return new ServerProcess(child, log, logStart, lock, Number.parseInt(String(firstLine), 10) || null);
  }

  get ended(): boolean {
    return this.supervisor.exitCode !== null || this.supervisor.signalCode !== null;
  }

  /**
   * Shuts the server down fast: open transactions are rolled back. Returns when it has ended, within 15 seconds. Returns at once
   * if other processes use the server, because it then continues.
   */
  async stop(): Promise<void> {
    const exit = this.ended ? null : once(this.supervisor, 'exit');
    if (this.lock.release() && exit) {
      this.supervisor.ref();
      await exit;
    }
    await this.log.close().catch(() => undefined); // already closed
  }

  /** Returns the last lines that the server has logged since its launch. */
  async lastLogLines(lines = 15): Promise<string> {
    const length = (await this.log.stat()).size - this.logStart;
    const { buffer } = await this.log.read({ buffer: Buffer.alloc(Math.max(length, 1)), position: this.logStart });
    return buffer.toString('utf8', 0, length).trimEnd().split('\n').slice(-lines).join('\n');
  }
}

async function openLog(home: ServerHome): Promise<FileHandle> {
  const path = join(home.directory, 'postgres.log');
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > 10_000_000) await rename(path, `${path}.1`);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const log = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (ownUid() !== home.user.uid) await log.chown(home.user.uid, home.user.gid);
  return log;
}
