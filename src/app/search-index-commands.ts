import { PgProjectSearchIndexes } from '../management-api/link-search/pg-project-search-indexes';
import { Log } from '../platform/observability/log';
import { migrateIfNeeded } from '../platform/postgres/migrate-if-needed';
import { openDatabase } from '../platform/postgres/open-database';
import { SessionClient } from '../platform/postgres/session-client';
import { unlimitedOptions } from '../platform/postgres/unlimited-connection';
import { BadSetting } from '../shared/bad-setting';
import type { Config } from './config';

/**
 * Runs a command for search indexes on a connection that goes past a pooler.
 * @throws BadSetting with the settings of a region, which has no searches
 */
export async function withSearchIndexes<T>(
  config: Config,
  work: (indexes: PgProjectSearchIndexes) => Promise<T>,
): Promise<T> {
  if (config.primaryDatabaseUrl !== undefined)
    throw new BadSetting('PRIMARY_DATABASE_URL: searches use the primary; run this command with its settings');
  const database = await openDatabase(config, new Log('silent'));
  try {
    if (config.migrateOnStart) await migrateIfNeeded(database.directUrl);
    const client = new SessionClient(unlimitedOptions(database.directUrl, 'search index'));
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(new PgProjectSearchIndexes(client));
    } catch (error) {
      throw describe(error);
    } finally {
      await client.end();
    }
  } finally {
    await database.close();
  }
}

/** Adds the remedy if rights are missing. */
function describe(error: unknown): Error {
  const { message, code } = error as Error & { code?: string };
  const remedy = code === '42501' ? '. Use the role that migrates, because it owns the tables.' : '';
  return new Error(message + remedy, { cause: error });
}
