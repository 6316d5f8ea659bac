import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { outsideRequests } from '../../platform/postgres/request-context';

interface ClaimedPurge {
  projectId: string;
  /** Whether the project was deleted so long ago that no process has clicks of it any more. */
  isSettled: boolean;
}

export class PgClickHousePurges {
  constructor(private readonly pool: Pool) {}

  /**
   * Returns projects that no process has claimed for ten minutes, or for a day if they were deleted over an hour ago. Removes those
   * that are not deleted, because their clicks must stay.
   */
  async claim(): Promise<ClaimedPurge[]> {
    const { rows } = await this.#query<{ project_id: string; is_settled: boolean }>(
      `WITH kept AS (
         DELETE FROM clickhouse_purges USING projects WHERE projects.id = project_id AND projects.deleted_at IS NULL
       )
       UPDATE clickhouse_purges SET checked_at = now() WHERE project_id IN (
         SELECT project_id FROM clickhouse_purges AS purge
         WHERE (checked_at IS NULL OR checked_at < now() - CASE WHEN deleted_at > now() - interval '1 hour'
                  THEN interval '10 minutes' ELSE interval '1 day' END)
           AND NOT EXISTS (SELECT FROM projects WHERE projects.id = purge.project_id AND projects.deleted_at IS NULL)
         ORDER BY deleted_at LIMIT 100 FOR UPDATE SKIP LOCKED
       ) RETURNING project_id, deleted_at < now() - interval '1 week' AS is_settled`,
    );
    return rows.map(({ project_id, is_settled }) => ({ projectId: project_id, isSettled: is_settled }));
  }

  async remove(purges: ClaimedPurge[]): Promise<void> {
    if (purges.length === 0) return;
    await this.#query('DELETE FROM clickhouse_purges WHERE project_id = ANY ($1)', [
      purges.map(({ projectId }) => projectId),
    ]);
  }

  #query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<QueryResult<Row>> {
    return outsideRequests(() => this.pool.query<Row>(sql, values));
  }
}
