import type { Pool } from 'pg';
import { columnArrays } from '../../platform/postgres/column-arrays';
import { outsideRequests } from '../../platform/postgres/request-context';
import type { IssuedClickId } from './click-id';

export class PgClickIdRepository {
  constructor(private readonly pool: Pool) {}

  /** Stores ids once each, or in a region keeps them for the primary. */
  async record(ids: readonly IssuedClickId[]): Promise<void> {
    const sql = 'SELECT record_click_ids($1, $2, $3, $4, $5, $6, $7)';
    const columns = ['digest', 'projectId', 'dynamicLinkId', 'shortLinkId', 'platform', 'variant', 'day'] as const;
    // Outside the request context, because one write serves many visits.
    await outsideRequests(() => this.pool.query(sql, columnArrays(ids, columns)));
  }
}
