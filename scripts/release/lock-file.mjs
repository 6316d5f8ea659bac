import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from './findings.mjs';

const registry = 'https://registry.npmjs.org/';

/** Returns why an entry of the lock file does not come from the registry with a checksum, or null if it does. */
function faultOf(path, { resolved, integrity, link }) {
  if (link || !path.startsWith('node_modules/')) return `${path} is a folder, not a package.`;
  if (resolved !== undefined && !resolved.startsWith(registry)) return `${path} comes from ${resolved}.`;
  if (!integrity?.startsWith('sha512-')) return `${path} has no SHA-512 checksum.`;
  return null;
}

/** Checks that the lock file agrees with package.json, and names no other source than the registry. */
export function checkLockFile(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  refuse(entries.map(([path, entry]) => faultOf(path, entry)).filter((fault) => fault !== null));
  // `npm ci` refuses a lock file that disagrees with package.json, before it would download anything.
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    encoding: 'utf8',
  });
  refuse(status === 0 ? [] : [stderr.trim()]);
  return `${entries.length} packages, all from the registry with checksums`;
}
