import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { lockProject } from '../projects/pg-project-lock';
import { ProjectAppsRepository } from './project-apps.repository';

@Injectable()
export class PgProjectAppsRepository extends ProjectAppsRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  lock(projectId: string): Promise<void> {
    return lockProject(this.context, projectId);
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
