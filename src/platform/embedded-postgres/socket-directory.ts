import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerHome } from './server-home';
import { canEnter, privateDirectory } from './server-user';

export const port = 5432;

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, including the final zero byte. */
const maxSocketPathLength = 103;

/**
 * Creates the directory of the server's Unix socket. Any process that reaches the socket is superuser (`--auth=trust`), so only
 * the server's user can enter the directory. It is in the home, or in a temporary directory if that path is too long.
 * @throws Error if no path is short enough, or another user created the directory
 */
export async function makeSocketDirectory(home: ServerHome): Promise<string> {
  const inHome = join(home.directory, 'socket');
  if (fits(inHome)) {
    await privateDirectory(inHome, home.user);
    return inHome;
  }
  const name = `signpost-${createHash('sha256').update(home.directory).digest('hex').slice(0, 16)}`;
  for (const parent of [tmpdir(), '/tmp']) {
    const directory = join(parent, name);
    if (!fits(directory) || !(await canEnter(home.user, parent))) continue;
    await privateDirectory(directory, home.user);
    return directory;
  }
  throw new Error(
    `No directory for PostgreSQL's socket: ${inHome} is too long, and ${tmpdir()} is too long or not accessible.`,
  );
}

function fits(directory: string): boolean {
  return Buffer.byteLength(socketPath(directory)) <= maxSocketPathLength;
}

export function socketPath(directory: string): string {
  return join(directory, `.s.PGSQL.${port}`);
}

/** Builds a URL with port and sslmode, because PGPORT and PGSSLMODE in the environment would otherwise apply. */
export function connectionUrl(directory: string): string {
  return `postgres://app@localhost:${port}/postgres?host=${encodeURIComponent(directory)}&sslmode=disable`;
}
