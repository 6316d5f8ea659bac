import type { Pool } from 'pg';
import type { CountedEscape, MeasuredEscape } from '../../link-routing/escapes/escape-choice';
import { outsideRequests } from '../../platform/postgres/request-context';

/** Adds and reads the counters of ways out of in-app browsers. A region has its own. */
export class PgEscapeCountsRepository {
  constructor(private readonly pool: Pool) {}

  async add(counts: readonly CountedEscape[]): Promise<void> {
    const columns = ['app', 'platform', 'version', 'system', 'way', 'offers', 'arrivals'] as const;
    const values = columns.map((column) => counts.map((count) => count[column]));
    await outsideRequests(() => this.pool.query('SELECT count_browser_escapes($1, $2, $3, $4, $5, $6, $7)', values));
  }

  async all(): Promise<MeasuredEscape[]> {
    const { rows } = await outsideRequests(() =>
      this.pool.query<MeasuredEscape>(
        'SELECT app, platform, app_version AS version, system_version AS system, way, offers, arrivals, since_arrival AS "sinceArrival" FROM browser_escape_counts',
      ),
    );
    return rows;
  }
}
