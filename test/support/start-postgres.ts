import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { migrate } from '../../src/platform/schema/migrations';
import { dataFolder } from './data-folder';
import { databaseUrl, templateName } from './database';

declare global {
  var testPostgres: { server: EmbeddedPostgres; dataDir: string } | undefined;
}

/** Starts one server for the whole run and creates a migrated database, which suites clone. */
export default async function startPostgres(): Promise<void> {
  const dataDir = await mkdtemp(join(dataFolder(), 'signpost-test-'));
  // If root runs the tests, the server runs as another user, who must have access to the directory.
  await chmod(dataDir, 0o755);
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    // Takes a tenth of the time of PostgreSQL for databases that live for seconds. Specs that need statistics run ANALYZE.
    autovacuum: 'off',
  };
  const server = await startEmbeddedPostgres({ dataDir, settings });
  globalThis.testPostgres = { server, dataDir };
  process.env['TEST_POSTGRES_URL'] = server.url;
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await migrate(databaseUrl(templateName));
}
