import { Injectable } from '@nestjs/common';
import { outsideRequests } from '../../platform/postgres/request-context';
import { TransactionContext } from '../../platform/postgres/transaction-context';

@Injectable()
export class PgDeletedProjectRepository {
  constructor(private readonly context: TransactionContext) {}

  async list(): Promise<string[]> {
    const rows = await this.context.read<{ id: string }>(
      'SELECT id FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1000',
    );
    return rows.map((row) => row.id);
  }

  /** Removes up to `batch` links of a deleted project. Returns true when nothing is left of it. */
  async purgeSome(id: string, batch: number): Promise<boolean> {
    // The purge may take longer than the request that began it.
    const [row] = await outsideRequests(() =>
      this.context.write<{ done: boolean }>('SELECT purge_deleted_project($1, $2) AS done', [id, batch]),
    );
    return row!.done;
  }
}
