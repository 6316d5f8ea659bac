import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { AppGrouping, GroupName, Grouping } from './statistics';

/** Select the names of the links or tags of a project, `$1`, with the ids in `$2`. */
const namesSql: Partial<Record<Grouping | AppGrouping, string>> = {
  link: `SELECT id, name, custom_path AS path FROM dynamic_links
         WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL`,
  short_link: `SELECT short.id, link.name, short.slug AS path
               FROM short_links short JOIN dynamic_links link ON link.id = short.dynamic_link_id AND link.deleted_at IS NULL
               WHERE short.project_id = $1 AND short.id = ANY ($2::uuid[])`,
  tag: 'SELECT id, name, NULL AS path FROM tags WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND retired_at IS NULL',
};

@Injectable()
export class PgGroupNameRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Returns the names of links or tags of a project by the values of their groups. A link under deletion has none. */
  async find(projectId: string, grouping: Grouping | AppGrouping, values: string[]): Promise<Map<string, GroupName>> {
    const sql = namesSql[grouping];
    if (!sql || values.length === 0) return new Map();
    const rows = await this.context.read<GroupName & { id: string }>(sql, [projectId, values]);
    return new Map(rows.map(({ id, name, path }) => [id, { name, path }]));
  }
}
