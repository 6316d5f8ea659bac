import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Folders with a separate lock file, so that only the tests that need their packages install them. */
const folders = {
  playwright: 'test',
  clickhouse: 'test/clickhouse/engine',
  helm: 'test/deploy/helm',
  platforms: 'test/client-app/platforms',
  'oidc-provider': 'test/console/openid-provider',
  tools: 'tools',
};

/** Programs that some tests need besides Node, each with its package of Debian. */
const programs = {
  chromium: 'chromium-headless-shell',
  'redis-server': 'redis-server',
  pg_basebackup: 'postgresql',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  bash: 'bash',
  buildah: 'buildah',
  mmdebstrap: 'mmdebstrap',
  mount: 'mount',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  unshare: 'util-linux',
};

export type ProgramName = keyof typeof programs | keyof typeof folders;

/**
 * Returns null if the program is not there. Programs are on the PATH. CHROMIUM_PATH replaces the search for Chromium.
 *
 * Chromium without its windows is preferred, because it takes half the CPU time of the whole browser.
 */
export function programPath(name: ProgramName, environment = process.env): string | null {
  if (isFolder(name)) {
    // npm writes this file at the end of an installation.
    const written = resolve(__dirname, '../..', folders[name], 'node_modules/.package-lock.json');
    return existsSync(written) ? written : null;
  }
  const onPath = (file: string): string[] =>
    (environment['PATH'] ?? '').split(delimiter).map((folder) => join(folder, file));
  let files = onPath(name);
  if (name === 'chromium') files = [...onPath('chromium-headless-shell'), ...files];
  if (name === 'chromium' && environment['CHROMIUM_PATH']) files = [environment['CHROMIUM_PATH']];
  return files.find((path) => existsSync(path)) ?? null;
}

const isFolder = (name: ProgramName): name is keyof typeof folders => name in folders;

/** Names the missing programs and the commands that install them. Returns null if all are there. */
export function howToInstall(environment = process.env): string | null {
  const all = Object.keys({ ...programs, ...folders }) as ProgramName[];
  const missing = all.filter((name) => programPath(name, environment) === null);
  if (missing.length === 0) return null;
  const debian = new Set(missing.flatMap((name) => (isFolder(name) ? [] : programs[name])));
  const commands = [
    ...(debian.size > 0 ? [`apt-get install ${[...debian].join(' ')}`] : []),
    ...missing.flatMap((name) => (isFolder(name) ? `npm ci --prefix ${folders[name]}` : [])),
  ];
  return `${missing.join(', ')} not found. Install with "${commands.join('" and "')}".`;
}

/**
 * Returns the missing programs.
 * @throws Error if `CI` is set and one is missing, because CI skips no test
 */
export function missingOf(names: ProgramName[], environment = process.env): ProgramName[] {
  const needed = names.flatMap((name): ProgramName[] => (name === 'chromium' ? [name, 'playwright'] : [name]));
  const missing = needed.filter((name) => programPath(name, environment) === null);
  if (missing.length > 0 && environment['CI']) throw new Error(`CI skips no test. ${howToInstall(environment)}`);
  return missing;
}
