import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { QuotaReservation } from '../../tenancy/accounts/quotas';

/** Reserves what imports store and create. */
@Injectable()
export class PgImportQuotas {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Counts bytes that the import stores, and locks the account until the unit of work ends.
   * @throws QuotaReached
   */
  async reserveBytes(id: string, quota: QuotaReservation | undefined, bytes: number): Promise<void> {
    const errors = { import_bytes_quota: (used: string | undefined) => quota!.reached(Number(used), bytes) };
    await mapConstraintErrors(errors, () =>
      this.context.write('SELECT reserve_import_bytes($1, $2, $3)', [id, quota?.limit ?? null, bytes]),
    );
  }

  /**
   * Checks that so many more links fit into the quota, and locks the account until the unit of work ends.
   * @throws QuotaReached
   */
  async reserveLinks(quota: QuotaReservation, links: number): Promise<void> {
    const errors = { dynamic_links_quota: (used: string | undefined) => quota.reached(Number(used), links) };
    await mapConstraintErrors(errors, () =>
      this.context.write('SELECT reserve_dynamic_links($1, $2, $3)', [quota.accountId, quota.limit, links]),
    );
  }
}
