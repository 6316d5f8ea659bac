import type { PoolClient } from 'pg';

/** Runs a statement in a transaction, which is rolled back if the request runs out of time before. */
export async function inTransaction<T>(client: PoolClient, query: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await query();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that cannot roll back is closed by its client.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
