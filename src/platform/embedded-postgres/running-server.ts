import { execFile } from 'node:child_process';
import { readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { connectionUrl, socketPath } from './socket-directory';

const run = promisify(execFile);

/** The content of `postmaster.pid` (https://www.postgresql.org/docs/18/storage-file-layout.html). */
export interface RunningServer {
  readonly pid: number;
  readonly ready: boolean;
  readonly socketDirectory: string;
  readonly url: string;
}

/** Returns the server that has the data open, even while it starts or stops. Ignores a stale file. */
export async function findRunningServer(cluster: string): Promise<RunningServer | null> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0) || !(await isPostmaster(pid, cluster))) return null;
  const socketDirectory = lines[4] ?? '';
  return { pid, ready: lines[7]?.trim() === 'ready', socketDirectory, url: connectionUrl(socketDirectory) };
}

export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, options: '' });
  client.on('error', () => undefined); // also emitted if the server stops meanwhile
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A server writes its process id at once. A file that is empty for longer is the rest of a crash of the machine. */
const maxEmptyMs = 20_000;

/**
 * Removes lock files whose process is no PostgreSQL. PostgreSQL trusts a lock file whose process id is alive, and would never start.
 * After a restart of the machine or container, that id may belong to another process, or to a zombie. An empty file keeps it from
 * starting too.
 */
export async function removeStaleLocks(cluster: string, socketDirectory: string): Promise<void> {
  for (const file of [join(cluster, 'postmaster.pid'), `${socketPath(socketDirectory)}.lock`]) {
    const before = await readFile(file, 'utf8').catch(() => '');
    const pid = Number(before.split('\n')[0]);
    const isStale = pid > 0 ? !(await isPostmaster(pid, cluster)) : before === '' && (await isOld(file));
    if (!isStale) continue;
    // Another process may have written a valid file meanwhile, so the file is moved, read again, and moved back if it changed.
    const movedPath = `${file}.stale-${process.pid}`;
    await rename(file, movedPath).catch(() => undefined);
    const moved = await readFile(movedPath, 'utf8').catch(() => null);
    if (moved !== null && moved !== before) await rename(movedPath, file);
    else await rm(movedPath, { force: true });
  }
}

async function isOld(file: string): Promise<boolean> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }));
  return Date.now() - mtimeMs > maxEmptyMs;
}

async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-o', 'stat=,comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
    const [state = 'Z', ...command] = stdout.trim().split(/\s+/);
    return !state.startsWith('Z') && basename(command.join(' ')) === 'postgres';
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, command, state] = /^\d+ \((.*)\) (\S)/s.exec(status) ?? [];
  if (command !== 'postgres' || state === 'Z') return false;
  // A server's working directory is its data directory. In a container not even root may read it; then the name decides.
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => cluster);
  return workingDirectory === cluster;
}
