import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export const templateName = 'signpost_template';

/** URL of a database on the run's server. A missing server fails the run: nothing is skipped for it. */
export function databaseUrl(name: string): string {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set: the global set-up starts PostgreSQL');
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export interface TestDatabase {
  url: string;
  /** One statement, on a connection of its own kept open for the suite. */
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A migrated database of the suite's own, cloned in some ten milliseconds; `empty` gives one without any table. */
export async function createDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : templateName} STRATEGY file_copy`);
  const url = databaseUrl(name);
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return {
    url,
    query: async <Row>(sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as Row[],
    drop: async () => {
      await client.end();
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

export async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl('postgres') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
