import { Client } from 'pg';
import { purgesEnded } from './content';
import type { TestDatabase } from './database';

/** Runs work beside another session of the database, which has begun a transaction. The session ends with the work. */
export async function withTransaction(
  { url }: Pick<TestDatabase, 'url'>,
  work: (other: Client) => Promise<unknown>,
): Promise<void> {
  const other = new Client({ connectionString: url });
  await other.connect();
  try {
    await other.query('BEGIN');
    await work(other);
  } finally {
    await other.end();
  }
}

/** Runs work while a table has another name. */
export async function withoutTable<T>(
  on: Pick<TestDatabase, 'query'>,
  table: string,
  work: () => Promise<T>,
): Promise<T> {
  await on.query(`ALTER TABLE ${table} RENAME TO elsewhere`);
  try {
    return await work();
  } finally {
    await on.query(`ALTER TABLE elsewhere RENAME TO ${table}`);
  }
}

/** Returns the notifications of changes, without heartbeats, that are sent while the work runs. */
export async function notificationsOf(database: TestDatabase, work: () => Promise<unknown>): Promise<unknown[]> {
  // The removal of a link notifies too, and an earlier test may have deleted some.
  await purgesEnded(database);
  const listener = new Client({ connectionString: database.url });
  await listener.connect();
  const notifications: unknown[] = [];
  listener.on('notification', ({ payload }) => notifications.push(JSON.parse(payload!)));
  try {
    await listener.query('LISTEN signpost_changes');
    await work();
    await listener.query('SELECT'); // notifications come before the answer
  } finally {
    await listener.end();
  }
  return notifications.filter((notification) => !(notification as { heartbeat?: unknown }).heartbeat);
}
