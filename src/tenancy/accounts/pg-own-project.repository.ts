import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { domainError, NotFound } from '../../shared/domain-error';

export class ForeignProject extends domainError(
  'FORBIDDEN_CROSS_SCOPE',
  () => 'A project of the body belongs to another account',
) {}

/** Checks projects that bodies name. Projects build on accounts (docs/decisions/0020-read-models.md). */
@Injectable()
export class PgOwnProjectRepository {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Requires that the account owns all these projects.
   * @throws NotFound, ForeignProject
   */
  async requireOwn(accountId: string, ids: readonly string[] | null | undefined): Promise<void> {
    if (!ids?.length) return;
    const owners = await this.context.read<{ account_id: string }>(
      'SELECT account_id FROM projects WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL',
      [ids],
    );
    if (owners.length < ids.length) throw new NotFound('Project');
    if (owners.some((owner) => owner.account_id !== accountId)) throw new ForeignProject();
  }
}
