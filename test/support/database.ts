import { randomBytes } from 'node:crypto';
import { Client, type DatabaseError } from 'pg';
import { eventually } from './eventually';
import { openDatabases } from './open-databases';

export const templateName = 'signpost_template';

/**
 * Returns the URL of a database on the server of this run.
 * @throws Error without a server, because no test may be skipped
 */
export function databaseUrl(name: string): string {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set. The global set-up starts PostgreSQL and sets it.');
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export interface TestDatabase {
  url: string;
  /**
   * Runs a statement on the separate connection of the suite, after those before it.
   * @param name if the statement comes often, so that PostgreSQL plans it once
   */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[], name?: string): Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * Creates a migrated database for one suite, by cloning a template, or a database without tables if `empty` is set.
 */
export async function createDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await whenUnused(`CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : templateName} STRATEGY file_copy`);
  openDatabases.add(name);
  const url = databaseUrl(name);
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  return {
    url,
    query: async <Row>(sql: string, values?: unknown[], name?: string) => {
      const result = last.then(() => client.query(name === undefined ? sql : { name, text: sql }, values));
      last = result.catch(() => {});
      return (await result).rows as Row[];
    },
    drop: async () => {
      await client.end();
      openDatabases.delete(name);
      await whenUnused(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

const objectInUse = '55006';

/** Repeats the statement while a session still uses the database. PostgreSQL waits 5 s for it, and a busy machine needs longer. */
const whenUnused = (sql: string): Promise<unknown> =>
  eventually(() =>
    onServer(sql).then(
      () => true,
      (error: DatabaseError) => {
        if (error.code !== objectInUse) throw error;
        return false;
      },
    ),
  );

export async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
