import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { refuse } from './findings.mjs';
import { lockFiles } from './lock-files.mjs';

const registry = 'https://registry.npmjs.org/';

/** Returns why an entry of the lock file does not come from the registry with a checksum, or null if it does. */
function faultOf(path, { resolved, integrity, link }) {
  if (link || !/(?:^|\/)node_modules\//.test(path)) return `${path} is a folder, not a package.`;
  if (resolved !== undefined && !resolved.startsWith(registry)) return `${path} comes from ${resolved}.`;
  if (!integrity?.startsWith('sha512-')) return `${path} has no SHA-512 checksum.`;
  return null;
}

/** Checks that each lock file agrees with its package.json, and names no other source than the registry. */
export function checkLockFile(root) {
  const files = lockFiles(root);
  const faults = files.flatMap(({ folder, entries }) =>
    entries.flatMap(([path, entry]) => faultOf(path, entry) ?? []).map((fault) => `${folder && `${folder}: `}${fault}`),
  );
  refuse(faults);
  // `npm ci` refuses a lock file that disagrees with package.json, before it would download anything.
  for (const { folder } of files) {
    const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: join(root, folder),
      encoding: 'utf8',
    });
    refuse(status === 0 ? [] : [stderr.trim()]);
  }
  const counts = files.map(({ folder, entries }) => `${entries.length} packages in ${folder || 'package-lock.json'}`);
  return `${counts.join(', ')}, all from the registry with checksums`;
}
