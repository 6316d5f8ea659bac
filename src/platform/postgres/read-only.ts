import type { Pool, PoolClient } from 'pg';

/** Emitted by a client whose server refused a write because it is read-only: a former primary, or one under maintenance. */
export const foundReadOnly = Symbol('found read-only');

/**
 * A session may stay read-only for as long as it lives (it keeps the defaults that it began with, or its server was
 * succeeded by another). One that is found to be so speaks for those that lie idle beside it: they are given up too, or each
 * would refuse one more write after the database has become writable.
 */
export function giveUpWhenReadOnly(pool: Pool): void {
  const idle = new Set<PoolClient>();
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('connect', (client: PoolClient) =>
    client.on(foundReadOnly as unknown as 'end', () => {
      // The pool takes an idle client out when it has an error.
      for (const other of [...idle]) other.emit('error', new Error('the server was found to be read-only'));
    }),
  );
}
