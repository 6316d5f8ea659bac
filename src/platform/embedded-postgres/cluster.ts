import { execFile } from 'node:child_process';
import { chown, lstat, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServerHome } from './server-home';
import { asUser, ownUid } from './server-user';

const run = promisify(execFile);

/**
 * Returns the data directory, and creates it on first use: superuser `app`, UTF-8, code point order, full Unicode case folding.
 *
 * Runs initdb under a temporary name and renames the result, so that an interrupted initdb leaves nothing that looks like data.
 * If two processes start at once, the second rename fails, and its process discards its copy.
 * @throws Error with the output of initdb
 */
export async function findOrCreateCluster(home: ServerHome, binaries: string, durable: boolean): Promise<string> {
  const cluster = join(home.directory, 'cluster');
  if (await lstat(cluster).catch(() => null)) return cluster;
  await removeAbandoned(home.directory);

  const unfinished = await mkdtemp(join(home.directory, 'cluster.new-'));
  try {
    if (ownUid() !== home.user.uid) await chown(unfinished, home.user.uid, home.user.gid);
    await run(
      join(binaries, 'bin/initdb'),
      [
        ...['-D', unfinished, '--username=app', '--auth=trust', '--encoding=UTF8', '--no-instructions'],
        ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(durable ? [] : ['--no-sync']),
      ],
      asUser(home.user),
    );
    await rename(unfinished, cluster);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw new Error(`initdb could not create a database in ${home.directory}. ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return cluster;
}

/** Removes directories that are older than ten minutes. An initdb takes about two seconds, so theirs was killed. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!/^(cluster|binaries-.*)\.new-/.test(name)) continue;
    const path = join(directory, name);
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > 600_000) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
