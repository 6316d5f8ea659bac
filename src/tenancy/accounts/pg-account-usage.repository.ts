import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';

/** Counts the resources that quotas limit, which build on accounts (docs/decisions/0020-read-models.md). */
@Injectable()
export class PgAccountUsageRepository {
  constructor(private readonly context: TransactionContext) {}

  async countProjects(accountId: string): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      'SELECT count(*) AS count FROM projects WHERE account_id = $1 AND deleted_at IS NULL',
      [accountId],
    );
    return Number(row!.count);
  }

  async countDynamicLinks(accountId: string): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      // As `reserve_dynamic_links` counts. An import has reserved the links that it has not created yet.
      `SELECT (
           SELECT coalesce(sum(c.dynamic_links), 0) FROM projects p JOIN project_counts c ON c.project_id = p.id
           WHERE p.account_id = $1 AND p.deleted_at IS NULL
         ) + (
           SELECT coalesce(sum(i.reserved_links), 0) FROM projects p JOIN imports i ON i.project_id = p.id
           WHERE p.account_id = $1 AND p.deleted_at IS NULL AND i.reserved_links > 0
         ) AS count`,
      [accountId],
    );
    return Number(row!.count);
  }

  /** Counts bytes that imports store. */
  async countImportBytes(accountId: string): Promise<number> {
    const [row] = await this.context.read<{ bytes: string }>(
      // As `reserve_import_bytes` counts. Those of removed imports count until their tables are dropped.
      `SELECT coalesce(sum(stored_bytes), 0) AS bytes FROM projects JOIN imports ON imports.project_id = projects.id WHERE account_id = $1`,
      [accountId],
    );
    return Number(row!.bytes);
  }

  /** Counts live keys. */
  async countApiKeys(accountId: string): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      'SELECT count(*) AS count FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL',
      [accountId],
    );
    return Number(row!.count);
  }
}
