// node scripts/install.mjs FOLDER …: installs the packages of folders with a separate lock file, unless they are installed.
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** @param folder relative to the repository */
export function install(folder) {
  const changedAt = (path) => statSync(join(root, folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // npm writes the second file at the end of an installation.
  if (changedAt('package-lock.json') <= changedAt('node_modules/.package-lock.json')) return;
  console.error(`Installing the packages of ${folder}.`);
  const command = ['ci', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', command, { cwd: join(root, folder), stdio: ['ignore', 'ignore', 'inherit'] });
}

if (process.argv[1] === import.meta.filename) process.argv.slice(2).forEach(install);
