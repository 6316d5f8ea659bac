import type { Pool, PoolClient } from 'pg';

export const foundReadOnly = Symbol('found read-only');

/**
 * Closes the idle connections of a pool once one is found to be read-only. A session may stay read-only for its whole life. Each
 * idle one would refuse one more write after the database has become writable.
 */
export function closeWhenReadOnly(pool: Pool): void {
  const idle = new Set<PoolClient>();
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('connect', (client: PoolClient) =>
    client.on(foundReadOnly as unknown as 'end', () => {
      for (const other of [...idle]) other.emit('error', new Error('the server is read-only'));
    }),
  );
}
