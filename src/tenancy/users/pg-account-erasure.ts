import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';

const batchSize = 2000;

/** Removes accounts, in steps that a repeated call continues. */
@Injectable()
export class PgAccountErasure {
  constructor(private readonly context: TransactionContext) {}

  /** Removes an account with its people, keys, projects, clicks and journal. Access and link traffic end with the first step. */
  async erase(accountId: string): Promise<void> {
    await this.context.run(async () => {
      await this.context.write('DELETE FROM api_keys WHERE account_id = $1', [accountId]);
      await this.context.write('DELETE FROM users WHERE account_id = $1', [accountId]);
      await this.context.write('UPDATE projects SET deleted_at = now() WHERE account_id = $1 AND deleted_at IS NULL', [
        accountId,
      ]);
    });
    const projects = await this.context.read<{ id: string }>('SELECT id FROM projects WHERE account_id = $1', [
      accountId,
    ]);
    for (const { id } of projects) while (!(await this.#purgeSome(id)));
    await this.context.run(() => this.context.write('SELECT erase_account($1)', [accountId]));
  }

  async #purgeSome(projectId: string): Promise<boolean> {
    const sql = 'SELECT purge_deleted_project($1, $2) AS done';
    const [row] = await this.context.write<{ done: boolean }>(sql, [projectId, batchSize]);
    return row!.done;
  }
}
