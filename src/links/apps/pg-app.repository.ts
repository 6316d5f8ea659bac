import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { lockProject } from '../projects/pg-project-lock';
import type { AppPlatform } from './app';
import { AppRepository } from './app.repository';
import { appTables } from './app.schema';

/** Implements what concerns the apps of both platforms, or of several projects. */
@Injectable()
export abstract class PgAppRepository extends AppRepository {
  constructor(protected readonly context: TransactionContext) {
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

  async findProjectsOf(platform: AppPlatform, ids: string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.context.read<{ id: string; project_id: string }>(
      `SELECT app.id, app.project_id FROM ${appTables[platform].name} app JOIN projects p ON p.id = app.project_id
       WHERE app.id = ANY ($1) AND p.deleted_at IS NULL`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.project_id]));
  }
}
