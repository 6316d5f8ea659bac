import { Injectable } from '@nestjs/common';
import type { DroppedEscape } from '../../link-routing/escapes/escape-choice';
import { TransactionContext } from '../../platform/postgres/transaction-context';

@Injectable()
export class PgEscapeEventRepository {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Writes an event for each way and project with an app on its platform, if a webhook selects it. Writes none if the project has one of
   * the last day.
   */
  async add(dropped: readonly DroppedEscape[]): Promise<void> {
    const columns = ['app', 'platform', 'way', 'preferred'] as const;
    const values = columns.map((column) => dropped.map((one) => one[column]));
    await this.context.runAs({ kind: 'service' }, () =>
      this.context.write(
        // Events are written in order, so that several processes cause no deadlock.
        `SELECT journal_event_once(account_id, id, 'project.escape_dropped', id, details, id, what, 24) FROM (
           SELECT project.account_id, project.id, to_jsonb(dropped) AS details, concat_ws(' ', app, platform, way) AS what
           FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS dropped (app, platform, way, preferred)
           JOIN projects AS project ON project.id = ANY (selecting_projects('project.escape_dropped')) AND project.deleted_at IS NULL
             AND CASE platform
               WHEN 'ios' THEN EXISTS (SELECT FROM ios_apps WHERE project_id = project.id)
               ELSE EXISTS (SELECT FROM android_apps WHERE project_id = project.id)
             END
           ORDER BY 2, 4 OFFSET 0
         ) AS event`,
        values,
      ),
    );
  }
}
