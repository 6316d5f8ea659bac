import type { Pool } from 'pg';
import { columnArrays } from '../../platform/postgres/column-arrays';
import { outsideRequests } from '../../platform/postgres/request-context';
import type { AppEvent } from './app-event';

/** The parameters of `record_app_events`, in their order. */
const parameters = [
  'digest',
  'event',
  'projectId',
  'dynamicLinkId',
  'at',
  'platform',
  'version',
  'country',
  'variant',
  'browser',
  'times',
] as const;

export class PgAppEventRepository {
  constructor(private readonly pool: Pool) {}

  /** Counts events once each, or in a region keeps them for the primary. */
  async record(events: readonly AppEvent[]): Promise<void> {
    const rows = events.map((event) => ({ ...event, at: new Date(event.at) }));
    const values = columnArrays(rows, parameters);
    // Outside the request context, because one write serves many requests.
    await outsideRequests(() =>
      this.pool.query('SELECT record_app_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', values),
    );
  }
}
