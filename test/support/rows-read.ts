import { eventually } from './eventually';
import type { TestService } from './service';

/** Ends the connections of the management API, because each one reports its counts at its end at the latest. */
export async function endApiConnections(on: TestService): Promise<void> {
  const others = `FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE '%management API'`;
  // Upkeep may open another one at any time.
  await eventually(async () => (await on.database.query(`SELECT pg_terminate_backend(pid) ${others}`)).length === 0);
}

/** Returns the rows of the tables that scans have read for the work, as PostgreSQL counts them. */
export async function rowsRead(
  on: TestService,
  work: () => Promise<unknown>,
  tables = ['dynamic_links', 'short_links'],
): Promise<number> {
  const read = async () => {
    await endApiConnections(on);
    await on.database.query('SELECT pg_stat_force_next_flush()');
    const [row] = await on.database.query<{ read: string }>(
      `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY ($1))
            + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY ($1)) AS read`,
      [tables],
    );
    return Number(row!.read);
  };
  const before = await read();
  await work();
  return (await read()) - before;
}
