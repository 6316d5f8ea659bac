import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Debian packages of the programs that some tests need besides Node. */
const packages = { chromium: 'chromium', 'redis-server': 'redis-server' };

export type ProgramName = keyof typeof packages;

/** Returns null if the program is not on the PATH. CHROMIUM_PATH replaces the search for Chromium. */
export function programPath(name: ProgramName, environment = process.env): string | null {
  const folders = (environment['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  const paths = name === 'chromium' && environment['CHROMIUM_PATH'] ? [environment['CHROMIUM_PATH']] : folders;
  return paths.find((path) => existsSync(path)) ?? null;
}

/** Names the missing programs and the command that installs them. Returns null if all are there. */
export function howToInstall(environment = process.env): string | null {
  const missing = (Object.keys(packages) as ProgramName[]).filter((name) => programPath(name, environment) === null);
  if (missing.length === 0) return null;
  const wanted = missing.map((name) => packages[name]).join(' ');
  return `${missing.join(', ')} not found. Install with "apt-get install ${wanted}".`;
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
