import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { canEnter, defaultServerUser, makeDirectory, ownUid, type ServerUser } from './server-user';

/**
 * Where one server keeps its things: `cluster` (the data), `socket` and `postgres.log`. Only `cluster` and `socket` belong to the
 * server's user; the directory around them belongs to us, so that root never works in a directory another user can rearrange.
 */
export interface ServerHome {
  readonly directory: string;
  readonly user: ServerUser;
}

/**
 * The data directory itself where PostgreSQL's user can enter it. Where not (root, with a checkout under a 0700 home), a
 * directory of this checkout's own under /var, and a note in the data directory saying so.
 * @throws Error when the data belong to another user, or when no place was found that PostgreSQL's user can enter.
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
  const places = placesElsewhere(directory);
  for (const place of places) {
    const owner = await clusterOwner(place);
    if (owner) return elsewhere(directory, { directory: await trusted(place), user: await userForCluster(owner) }, log);
  }
  if (await canEnter(user, directory)) return { directory, user };
  for (const place of places) {
    if (await usable(place, user)) return elsewhere(directory, { directory: place, user }, log);
  }
  throw new Error(
    `PostgreSQL does not run as root, and user id ${user.uid}, as whom it would run, can enter neither ${directory} ` +
      `nor ${places.join(' nor ')}. Start as an ordinary user, or set DATABASE_URL.`,
  );
}

async function existingDataDir(dataDir: string): Promise<string> {
  await mkdir(dirname(dataDir), { recursive: true });
  await makeDirectory(dataDir, ownUid() === 0 ? 0o711 : 0o700);
  return realpath(dataDir); // two ways to one directory must lead to one server
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

/** Data which an ordinary user began are served on as that user, so that root's visit does not lock its owner out. */
async function userForCluster(owner: ServerUser): Promise<ServerUser> {
  return owner.uid === 0 ? defaultServerUser() : owner;
}

const note = 'data-is-elsewhere.txt';

async function refuseForeignData(directory: string, owner: ServerUser | null): Promise<void> {
  if (owner && owner.uid !== ownUid()) {
    throw new Error(
      `The data in ${directory} belong to user id ${owner.uid}. Start as that user or as root, or name another directory.`,
    );
  }
  const said = await readFile(join(directory, note), 'utf8').catch(() => null);
  if (said && !owner) {
    throw new Error(
      `${directory} was begun by root. ${said.trim()} Start as root, or remove ${join(directory, note)}.`,
    );
  }
}

function placesElsewhere(directory: string): string[] {
  const name = `signpost-postgres-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
  return [join('/var/lib', name), join('/var/tmp', name)];
}

async function usable(place: string, user: ServerUser): Promise<boolean> {
  try {
    await makeDirectory(place, 0o711);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR'].includes(code)) return false;
    throw error;
  }
  return canEnter(user, await trusted(place));
}

/** /var/tmp is everybody's: a directory that root did not make may be a trap. */
async function trusted(place: string): Promise<string> {
  const found = await lstat(place);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw new Error(`${place} is not root's own directory (made by user id ${found.uid}); remove it and start again.`);
  }
  return place;
}

async function elsewhere(dataDir: string, home: ServerHome, log: (message: string) => void): Promise<ServerHome> {
  const path = join(dataDir, note);
  const text = `The database lives in ${home.directory}, since user id ${home.user.uid} cannot enter this directory.\n`;
  const before = await readFile(path, 'utf8').catch(() => null);
  if (before === text) return home;
  // The place follows from the path. A copied checkout gets data of its own; a moved one leaves its data behind.
  if (before) log(`This directory was moved or copied. Its note said before: ${before.trim()}`);
  log(text.trim());
  await writeFile(path, text);
  return home;
}
