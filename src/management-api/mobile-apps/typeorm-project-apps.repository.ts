import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { ProjectAppsRepository } from './project-apps.repository';

@Injectable()
export class TypeormProjectAppsRepository extends ProjectAppsRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async lock(projectId: string): Promise<void> {
    const locked = await this.context.read(
      'SELECT FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [projectId],
    );
    if (locked.length === 0) throw new NotFound('Project');
  }

  async count(projectId: string): Promise<number> {
    // A separate statement, because one that waits for the lock counts the rows of its start.
    const [row] = await this.context.read<{ count: string }>(
      `SELECT (SELECT count(*) FROM ios_apps WHERE project_id = $1)
            + (SELECT count(*) FROM android_apps WHERE project_id = $1) AS count`,
      [projectId],
    );
    return Number(row!.count);
  }
}
