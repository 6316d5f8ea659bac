import { Injectable } from '@nestjs/common';
import { reportTooExpensive } from '../../platform/tables/too-expensive';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { InvalidInput } from '../../shared/problem';
import { linkParamsSql } from '../../links/link-templates/template-params-sql';
import { foldTag } from '../../links/tags/tag';
import type { LinkConditions } from './statistics-filter';

/** Bounds the ids that statements contain, and the look-ups of their sums. */
export const maxCountedLinks = 20_000;

@Injectable()
export class PgFilteredLinkRepository {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Returns the ids of the links that fulfil all conditions now; null if there are no conditions.
   * @throws InvalidInput if they are too many
   * @throws QueryTooExpensive
   */
  async find(projectId: string, { ids, tags, utm }: LinkConditions): Promise<string[] | null> {
    const values: unknown[] = [projectId];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const parameters = Object.entries(utm);
    // Clicks of deleted links have their id still.
    if (!tags && parameters.length === 0) return ids ? [...ids] : null;
    const conditions = [
      ...(ids ? [`link.id = ANY (${parameter(ids)}::uuid[])`] : []),
      ...(tags ? [`link.tag_ids && ${tagIds(parameter(tags.map(foldTag)))}`] : []),
      ...parameters.map(
        ([name, accepted]) => `EXISTS (
           SELECT FROM jsonb_array_elements(${linkParamsSql}) AS pair
           WHERE pair ->> 0 = ${parameter(name)} AND pair ->> 1 = ANY (${parameter(accepted)}::text[])
         )`,
      ),
    ];
    const rows = await reportTooExpensive(this.context, () =>
      this.context.read<{ id: string }>(
        `SELECT link.id FROM dynamic_links AS link
         WHERE link.project_id = $1 AND link.deleted_at IS NULL AND ${conditions.join(' AND ')} LIMIT ${maxCountedLinks + 1}`,
        values,
      ),
    );
    if (rows.length > maxCountedLinks)
      throw InvalidInput.asAWhole(
        'too_big',
        `More than ${maxCountedLinks} links match. Add a condition on links.`,
        tags ? ['tag'] : parameters.slice(0, 1).map(([name]) => name),
      );
    return rows.map(({ id }) => id);
  }
}

/** Selects the ids of tags, and of tags that were merged into them. */
const tagIds = (names: string): string => `ARRAY(
           SELECT own.id FROM tags AS own JOIN tags AS tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
           WHERE tag.project_id = $1 AND tag.folded_name = ANY (${names}::text[])
         )`;
