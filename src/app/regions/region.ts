import { Client } from 'pg';
import { isUndefinedTable } from '../../platform/postgres/database-error';
import { poolOptions } from '../../platform/postgres/connection';
import { BadSetting } from '../../shared/bad-setting';

/** A region as its database and the primary know it. */
export interface Region {
  /** From 1 to 15. */
  code: number;
  name: string;
  /** The id under which the primary counts its clicks. */
  writer: string;
}

/**
 * Reads which region the database belongs to.
 * @throws BadSetting if it belongs to no region
 */
export async function readRegion(databaseUrl: string): Promise<Region> {
  const client = new Client(poolOptions(databaseUrl, { max: 1, name: 'start' }));
  client.on('error', () => {});
  await client.connect();
  try {
    const region = await findRegion(async (sql) => (await client.query<Region>(sql)).rows);
    if (region) return region;
  } catch (error) {
    if (!isUndefinedTable(error)) throw error;
  } finally {
    await client.end();
  }
  throw new BadSetting(
    'PRIMARY_DATABASE_URL: the database of DATABASE_URL is no region; run "admin region add --name NAME" with these settings',
  );
}

/** Returns null if the database is no region. */
export async function findRegion(query: (sql: string) => Promise<Region[]>): Promise<Region | null> {
  const [region] = await query('SELECT code, name, writer FROM this_region');
  return region ?? null;
}
