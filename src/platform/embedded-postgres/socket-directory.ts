import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerHome } from './server-home';
import { canEnter, privateDirectory } from './server-user';

export const port = 5432;

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the closing zero among them. */
const maxSocketPathLength = 103;

/**
 * Where the server puts its Unix socket. Everybody who reaches the socket is the superuser (`--auth=trust`), so the
 * directory is closed to all but the server's user. It is in the home, or in a temporary directory when that path is too long.
 * @throws Error when no directory is short enough, or when another user took its place.
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
  throw new Error(`No directory for PostgreSQL's socket: ${inHome} is too long, and so is, or is closed, ${tmpdir()}.`);
}

function fits(directory: string): boolean {
  return Buffer.byteLength(socketPath(directory)) <= maxSocketPathLength;
}

export function socketPath(directory: string): string {
  return join(directory, `.s.PGSQL.${port}`);
}

/** Port and sslmode are spelled out, or a PGPORT or PGSSLMODE in the caller's environment would bend the connection. */
export function connectionUrl(directory: string): string {
  return `postgres://app@localhost:${port}/postgres?host=${encodeURIComponent(directory)}&sslmode=disable`;
}
