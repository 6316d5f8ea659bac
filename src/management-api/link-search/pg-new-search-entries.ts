import type { Pool } from 'pg';
import { outsideRequests } from '../../platform/postgres/deadline';
import { within } from '../../platform/postgres/resilient-client';
import { NewSearchEntries } from './new-search-entries';

/** Far longer than a full list takes from a cold disk. It ends a move whose server is frozen. */
const moveTimeoutMs = 60_000;

/** Calls `move_search_entries` of `migrations/0046-move-search-entries.sql`. */
export class PgNewSearchEntries extends NewSearchEntries {
  constructor(private readonly pool: Pool) {
    super();
  }

  async move(): Promise<void> {
    // Both statements are one message and one transaction, in which the setting ends.
    const text = `SET LOCAL statement_timeout = ${moveTimeoutMs}; SELECT move_search_entries()`;
    await outsideRequests(() => this.pool.query(within(moveTimeoutMs + 500, { text })));
  }
}
