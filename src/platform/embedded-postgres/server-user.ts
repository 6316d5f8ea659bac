import { execFile } from 'node:child_process';
import { chown, chmod, lstat, mkdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The account of PostgreSQL: the current user, or an unprivileged one for root, because PostgreSQL refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export function ownUid(): number {
  return process.getuid?.() ?? -1;
}

/** @throws Error for root if the system has neither a user `postgres` nor `nobody` */
export async function defaultServerUser(): Promise<ServerUser> {
  if (ownUid() !== 0) return { uid: ownUid(), gid: process.getgid?.() ?? -1 };
  // initdb requires a passwd entry, so that an unused uid is not enough.
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const user of ['postgres', 'nobody']) {
    const account = accounts.find(([name]) => name === user);
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new Error(
    'PostgreSQL does not run as root, and /etc/passwd names neither "postgres" nor "nobody" to run it as. ' +
      'Start as an ordinary user, or set DATABASE_URL.',
  );
}

/**
 * Returns options for a child process of that user, with a new environment. Otherwise PGDATA, PGPORT and LD_LIBRARY_PATH would
 * affect PostgreSQL, and TZ the output of initdb.
 */
export function asUser(user: ServerUser): { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv } {
  return {
    ...(ownUid() === 0 ? { uid: user.uid, gid: user.gid } : {}),
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
  };
}

/** Tests access in a process of that user, because modes do not show access lists and mount options. */
export async function canEnter(user: ServerUser, directory: string): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], asUser(user));
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates a directory that only the given user (and root) can enter.
 * @throws Error if another user created it, because in a shared directory such as /tmp that may be an attack
 */
export async function privateDirectory(directory: string, user: ServerUser): Promise<void> {
  await makeDirectory(directory, 0o700);
  const stats = await lstat(directory);
  const ours = stats.uid === user.uid || stats.uid === ownUid();
  if (!stats.isDirectory() || !ours) {
    throw new Error(`${directory} was created by another user (id ${stats.uid}); remove it and start again.`);
  }
  await chmod(directory, 0o700);
  if (stats.uid !== user.uid) await chown(directory, user.uid, user.gid);
}

/** @returns whether the directory was created; an existing one is not changed */
export async function makeDirectory(directory: string, mode: number): Promise<boolean> {
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await chmod(directory, mode); // mkdir subtracts the umask
  return true;
}
