import { execFile } from 'node:child_process';
import { readFile, readlink, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { connectionUrl, socketPath } from './socket-directory';

const run = promisify(execFile);

/** What `postmaster.pid` says (https://www.postgresql.org/docs/18/storage-file-layout.html). */
export interface RunningServer {
  readonly pid: number;
  readonly ready: boolean;
  readonly socketDirectory: string;
  readonly url: string;
}

/** The server that has these data open, be it starting or stopping; `null` when there is none, whatever a stale file says. */
export async function findRunningServer(cluster: string): Promise<RunningServer | null> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0) || !(await isPostmaster(pid, cluster))) return null;
  const socketDirectory = lines[4] ?? '';
  return { pid, ready: lines[7]?.trim() === 'ready', socketDirectory, url: connectionUrl(socketDirectory) };
}

export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, options: '' });
  client.on('error', () => undefined); // one that stops under our hands says so here as well
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

/**
 * PostgreSQL believes a lock file whose process id is alive, though that id may have gone to another process since (after a
 * restart of the machine or the container), or to a zombie nobody reaps. Such a file would keep the server from starting for ever.
 */
export async function removeStaleLocks(cluster: string, socketDirectory: string): Promise<void> {
  for (const file of [join(cluster, 'postmaster.pid'), `${socketPath(socketDirectory)}.lock`]) {
    const before = await readFile(file, 'utf8').catch(() => '');
    const pid = Number(before.split('\n')[0]);
    if (!(pid > 0) || (await isPostmaster(pid, cluster))) continue;
    // Another process may have put a good file there since: taken away first, looked at again, and put back if so.
    const aside = `${file}.stale-${process.pid}`;
    await rename(file, aside).catch(() => undefined);
    const taken = await readFile(aside, 'utf8').catch(() => null);
    if (taken !== null && taken !== before) await rename(aside, file);
    else await rm(aside, { force: true });
  }
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
  // A server works in its data directory. In a container even root may not look; then the name must do.
  const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => cluster);
  return workingDirectory === cluster;
}
