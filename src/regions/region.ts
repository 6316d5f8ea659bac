import { isUndefinedTable } from '../platform/postgres/database-error';
import { poolOptions } from '../platform/postgres/connection';
import { SessionClient } from '../platform/postgres/session-client';
import { BadSetting } from '../shared/bad-setting';

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
  const region = await regionOf(databaseUrl);
  if (region) return region;
  throw new BadSetting(
    'PRIMARY_DATABASE_URL: the database of DATABASE_URL is no region; run "admin region add --name NAME" with these settings',
  );
}

/**
 * Refuses the database of a region to a process that has not the settings of one. It would keep the region's clicks from the primary,
 * and its writes would be lost.
 * @throws BadSetting if the database belongs to a region
 */
export async function refuseRegion(databaseUrl: string): Promise<void> {
  const region = await regionOf(databaseUrl);
  if (region)
    throw new BadSetting(
      `DATABASE_URL: the database is the region ${region.name}; set PRIMARY_DATABASE_URL and ROLE=traffic, or use the database of the primary`,
    );
}

async function regionOf(databaseUrl: string): Promise<Region | null> {
  const client = new SessionClient(poolOptions(databaseUrl, { max: 1, name: 'start' }));
  client.on('error', () => {});
  await client.connect();
  try {
    return await findRegion(async (sql) => (await client.query<Region>(sql)).rows);
  } catch (error) {
    if (!isUndefinedTable(error)) throw error;
    return null;
  } finally {
    await client.end();
  }
}

/** Returns null if the database is no region. */
export async function findRegion(query: (sql: string) => Promise<Region[]>): Promise<Region | null> {
  const [region] = await query('SELECT code, name, writer FROM this_region');
  return region ?? null;
}
