import { eventually } from './eventually';
import type { TestDatabase } from './database';

/** Waits until statements of the database that contain `text` wait for a lock. */
export const untilLocked = (database: Pick<TestDatabase, 'query'>, text: string, statements = 1): Promise<unknown> =>
  eventually(async () => {
    const waiting = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND strpos(query, $1) > 0
         AND pid <> pg_backend_pid()`,
      [text],
    );
    return waiting.length >= statements;
  });
