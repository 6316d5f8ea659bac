import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';

/** Opens of a platform in the period. Shares of fewer say little. */
const minOpens = 100;

/**
 * Retires releases whose share of the opens of their platform is below the limit of the project.
 *
 * - A release that was recorded or changed in the period stays, so that people can install it, and one that is used again stays.
 * - Opens have no app, so nothing retires in a project with several apps of the platform.
 * - Versions beyond the limit of a day are counted as `*`, which therefore counts for each version. Opens have no longer names.
 */
const retireRareSql = `WITH opens AS MATERIALIZED (
  SELECT p.id AS project_id, e.platform, e.version, sum(e.times) AS times
  FROM projects p JOIN app_event_sums e ON e.project_id = p.id
  WHERE p.retire_releases_below_percent IS NOT NULL AND p.deleted_at IS NULL AND e.event = 'open' AND e.quarter > now() - interval '30 days'
  GROUP BY p.id, e.platform, e.version
)
UPDATE app_releases r SET retired = true, updated_at = now() FROM projects p
WHERE p.id = r.project_id AND NOT r.retired AND r.updated_at < now() - interval '30 days' AND r.version ~ '^[A-Za-z0-9.+_-]{1,20}$'
  AND CASE WHEN r.ios_app_id IS NULL THEN (SELECT count(*) FROM android_apps a WHERE a.project_id = p.id)
    ELSE (SELECT count(*) FROM ios_apps a WHERE a.project_id = p.id) END = 1
  AND (
    SELECT sum(times) >= ${minOpens}
      AND 100 * coalesce(sum(times) FILTER (WHERE opens.version IN (r.version, '*')), 0) < p.retire_releases_below_percent * sum(times)
    FROM opens WHERE opens.project_id = p.id AND opens.platform = CASE WHEN r.ios_app_id IS NULL THEN 'android' ELSE 'ios' END
  )`;

@Injectable()
export class PgRareReleases {
  constructor(private readonly context: TransactionContext) {}

  async retire(): Promise<void> {
    await this.context.runAs({ kind: 'service' }, () => this.context.write(retireRareSql));
  }
}
