import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Folders with packages of development. Two are left out: ClickHouse, whose lock file lacks checksums of other platforms, and the
 * user agents in test/link-routing/corpora, which are read by hand.
 */
const ofDevelopment = [
  'tools',
  'test',
  'test/client-app/platforms',
  'test/console/openid-provider',
  'test/deploy/helm',
  'test/mutation',
];

/** Reads the lock files of the repository. Entries are `[path, entry]` of packages, without this repository's own. */
export function lockFiles(root) {
  return ['', ...ofDevelopment]
    .filter((folder) => existsSync(join(root, folder, 'package-lock.json')))
    .map((folder) => {
      const { packages } = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
      const workspaces = packages[''].workspaces ?? [];
      const isOwn = ([path, { resolved }]) => path === '' || [path, resolved].some((one) => workspaces.includes(one));
      return { folder, entries: Object.entries(packages).filter((one) => !isOwn(one)) };
    });
}
