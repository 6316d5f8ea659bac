import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Quotas } from './plan';

const countSql: Record<keyof Quotas, string> = {
  projects: 'SELECT count(*) AS used FROM projects WHERE account_id = $1 AND deleted_at IS NULL',
  // As `reserve_dynamic_links` counts. An import has reserved the links that it has not created yet.
  dynamicLinks: `SELECT (
      SELECT coalesce(sum(c.dynamic_links), 0) FROM projects p JOIN project_counts c ON c.project_id = p.id
      WHERE p.account_id = $1 AND p.deleted_at IS NULL
    ) + (
      SELECT coalesce(sum(i.reserved_links), 0) FROM projects p JOIN imports i ON i.project_id = p.id
      WHERE p.account_id = $1 AND p.deleted_at IS NULL AND i.reserved_links > 0
    ) AS used`,
  // As `reserve_import_bytes` counts. Those of removed imports count until their tables are dropped.
  importBytes: `SELECT coalesce(sum(stored_bytes), 0) AS used
    FROM projects JOIN imports ON imports.project_id = projects.id WHERE account_id = $1`,
  // As `insert_picture` counts.
  pictureBytes: `SELECT coalesce(sum(bytes), 0) AS used
    FROM projects JOIN pictures ON pictures.project_id = projects.id WHERE account_id = $1`,
  apiKeys: 'SELECT count(*) AS used FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL',
};

/** Counts the resources that quotas limit, which build on accounts (docs/decisions/0020-read-models.md). */
@Injectable()
export class PgAccountUsageRepository {
  constructor(private readonly context: TransactionContext) {}

  async countUsed(quota: keyof Quotas, accountId: string): Promise<number> {
    const [row] = await this.context.read<{ used: string }>(countSql[quota], [accountId]);
    return Number(row!.used);
  }
}
