import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
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
 * Then the data are in a directory under /var that the path determines, and a note in the data directory names it.
 * @throws Error if the data belong to another user, or PostgreSQL's user can enter none of the directories
 */
export async function findServerHome(dataDir: string, log: (message: string) => void): Promise<ServerHome> {
  const directory = await existingDataDir(resolve(dataDir));
  const inside = await clusterOwner(directory);
  if (ownUid() !== 0) {
    await refuseForeignData(directory, inside);
    return { directory, user: await defaultServerUser() };
  }
  if (inside) return { directory, user: await userForCluster(inside) };

  const user = await defaultServerUser();
  const fallbacks = fallbackDirectories(directory);
  for (const fallback of fallbacks) {
    const owner = await clusterOwner(fallback);
    if (owner)
      return recordLocation(
        directory,
        { directory: await requireRootOwned(fallback), user: await userForCluster(owner) },
        log,
      );
  }
  if (await canEnter(user, directory)) return { directory, user };
  for (const fallback of fallbacks) {
    if (await isUsable(fallback, user)) return recordLocation(directory, { directory: fallback, user }, log);
  }
  throw new Error(
    `PostgreSQL does not run as root, and user id ${user.uid}, as whom it would run, can enter neither ${directory} ` +
      `nor ${fallbacks.join(' nor ')}. Start as an ordinary user, or set DATABASE_URL.`,
  );
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

/** Keeps the user who created the data, so that a start by root does not lock that user out. */
async function userForCluster(owner: ServerUser): Promise<ServerUser> {
  return owner.uid === 0 ? defaultServerUser() : owner;
}

const noteFile = 'data-is-elsewhere.txt';

async function refuseForeignData(directory: string, owner: ServerUser | null): Promise<void> {
  if (owner && owner.uid !== ownUid()) {
    throw new Error(
      `The data in ${directory} belong to user id ${owner.uid}. Start as that user or as root, or name another directory.`,
    );
  }
  const text = await readFile(join(directory, noteFile), 'utf8').catch(() => null);
  if (text && !owner) {
    throw new Error(
      `${directory} was created by root. ${text.trim()} Start as root, or remove ${join(directory, noteFile)}.`,
    );
  }
}

function fallbackDirectories(directory: string): string[] {
  const name = `signpost-postgres-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
  return [join('/var/lib', name), join('/var/tmp', name)];
}

async function isUsable(directory: string, user: ServerUser): Promise<boolean> {
  try {
    await makeDirectory(directory, 0o711);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR'].includes(code)) return false;
    throw error;
  }
  return canEnter(user, await requireRootOwned(directory));
}

/** Checks that root created the directory, because any user can create one in /var/tmp. */
async function requireRootOwned(directory: string): Promise<string> {
  const stats = await lstat(directory);
  if (!stats.isDirectory() || stats.uid !== 0 || (stats.mode & 0o022) !== 0) {
    throw new Error(
      `${directory} does not belong to root alone (created by user id ${stats.uid}); remove it and start again.`,
    );
  }
  return directory;
}

async function recordLocation(dataDir: string, home: ServerHome, log: (message: string) => void): Promise<ServerHome> {
  const path = join(dataDir, noteFile);
  // The text must stay the same between versions, because a different note means that the directory was moved.
  const text = `The database lives in ${home.directory}, since user id ${home.user.uid} cannot enter this directory.\n`;
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before === text) return home;
  // The location depends on the path, so a copied or moved checkout starts with new data.
  if (before) log(`This directory was moved or copied. Its previous note: ${before.trim()}`);
  log(text.trim());
  await writeFile(path, text);
  return home;
}
