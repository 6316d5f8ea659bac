import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { canEnter, defaultServerUser, makeDirectory, ownUid, type ServerUser } from './server-user';

/**
 * The directory of a server: `cluster` (the data), `socket` and `postgres.log`. Only `cluster` and `socket` belong to the server's
 * user. The directory belongs to this process's user, so that root never works in a directory that another user can change.
 */
export interface ServerHome {
  readonly directory: string;
  readonly user: ServerUser;
}

/**
 * Returns the data directory if PostgreSQL's user can enter it. That user cannot if root starts in a checkout under a 0700 home.
 * Then the data are in a directory under /var/lib that the path determines, so that a moved checkout starts with new data.
 * @throws Error if the data belong to another user, or PostgreSQL's user can enter neither directory
 */
export async function findServerHome(dataDir: string, log: (message: string) => void): Promise<ServerHome> {
  const directory = await existingDataDir(resolve(dataDir));
  const owner = await clusterOwner(directory);
  if (ownUid() !== 0) {
    if (owner && owner.uid !== ownUid())
      throw new Error(
        `The data in ${directory} belong to user id ${owner.uid}. Start as that user or as root, or name another directory.`,
      );
    return { directory, user: await defaultServerUser() };
  }
  const outside = `/var/lib/signpost-postgres-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
  const outsideOwner = owner ? null : await clusterOwner(outside);
  const known = owner ?? outsideOwner;
  // The user who created the data keeps them, so that a start by root does not lock that user out.
  const user = known && known.uid !== 0 ? known : await defaultServerUser();
  if (owner || (!outsideOwner && (await canEnter(user, directory)))) return { directory, user };
  await makeDirectory(outside, 0o711);
  if (!(await canEnter(user, outside)))
    throw new Error(
      `PostgreSQL does not run as root, and user id ${user.uid}, as whom it would run, can enter neither ${directory} ` +
        `nor ${outside}. Start as an ordinary user, or set DATABASE_URL.`,
    );
  log(`The database lives in ${outside}, since user id ${user.uid} cannot enter ${directory}.`);
  return { directory: outside, user };
}

async function existingDataDir(dataDir: string): Promise<string> {
  await mkdir(dirname(dataDir), { recursive: true });
  await makeDirectory(dataDir, ownUid() === 0 ? 0o711 : 0o700);
  return realpath(dataDir); // two paths to one directory must select the same server
}

async function clusterOwner(directory: string): Promise<ServerUser | null> {
  try {
    const { uid, gid } = await stat(join(directory, 'cluster'));
    return { uid, gid };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
