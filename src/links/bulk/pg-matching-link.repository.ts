import { Injectable } from '@nestjs/common';
import { MatchingRows } from './matching-rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { ArchivedChoice, DynamicLinkSortKey } from '../dynamic-links/dynamic-link';
import type { DynamicLinkFilters } from '../dynamic-links/dynamic-link.repository';
import { filtersOf, lists, shownTagIds } from '../dynamic-links/pg-dynamic-link-lists';
import { type LinkState, MatchingLinkRepository } from './matching-link.repository';

const ofProject = 't.project_id = $1 AND t.id = ANY ($2) AND t.deleted_at IS NULL';

@Injectable()
export class PgMatchingLinkRepository extends MatchingLinkRepository {
  readonly #rows: Record<ArchivedChoice, MatchingRows<DynamicLinkSortKey>>;

  constructor(private readonly context: TransactionContext) {
    super();
    const rowsOf = (choice: ArchivedChoice) => new MatchingRows(context, 'dynamic_links', lists[choice]);
    this.#rows = { false: rowsOf('false'), true: rowsOf('true'), any: rowsOf('any') };
  }

  lockMatching(
    projectId: string,
    filters: DynamicLinkFilters,
    after: string | null,
    limit: number,
  ): Promise<{ total: number; ids: string[] }> {
    const request = { search: filters.search, sortBy: 'created_at' as const };
    return this.#rows[filters.archived].lock(projectId, request, filtersOf(filters), after, limit);
  }

  async setState(projectId: string, ids: string[], state: LinkState): Promise<number> {
    const [column, value] = 'archived' in state ? ['archived', state.archived] : ['disabled', state.disabled];
    const changed = await this.context.write(
      `UPDATE dynamic_links t SET ${column} = $3, updated_at = now() WHERE ${ofProject} AND ${column} <> $3 RETURNING id`,
      [projectId, ids, value],
    );
    return changed.length;
  }

  async addTags(
    projectId: string,
    ids: string[],
    tagIds: string[],
    max: number,
  ): Promise<{ changed: number; refused: { id: string; name: string }[] }> {
    const [row] = await this.context.write<{ changed: number; refused: { id: string; name: string }[] }>(
      `WITH given AS MATERIALIZED (
         SELECT t.id, t.name, ARRAY(${shownTagIds}) AS had FROM dynamic_links t WHERE ${ofProject}
       ), planned AS MATERIALIZED (
         SELECT id, name, had, had || ARRAY(
           SELECT added.id FROM unnest($3::uuid[]) WITH ORDINALITY AS added (id, place)
           WHERE added.id <> ALL (had) ORDER BY added.place
         ) AS next FROM given
       ), written AS (
         UPDATE dynamic_links t SET tag_ids = planned.next, updated_at = now() FROM planned
         WHERE t.id = planned.id AND planned.next <> planned.had AND cardinality(planned.next) <= $4 RETURNING t.id
       )
       SELECT (SELECT count(*) FROM written)::int AS changed, coalesce((
         SELECT json_agg(json_build_object('id', id, 'name', name) ORDER BY id) FROM planned
         WHERE next <> had AND cardinality(next) > $4
       ), '[]') AS refused`,
      [projectId, ids, tagIds, max],
    );
    return row!;
  }

  async removeTags(projectId: string, ids: string[], tagIds: string[]): Promise<number> {
    const changed = await this.context.write(
      `UPDATE dynamic_links t SET updated_at = now(), tag_ids = ARRAY(
         SELECT had.id FROM unnest(t.tag_ids) WITH ORDINALITY AS had (id, place)
         WHERE had.id <> ALL ($3::uuid[]) ORDER BY had.place
       ) WHERE ${ofProject} AND t.tag_ids <> '{}' AND t.tag_ids && $3::uuid[] RETURNING id`,
      [projectId, ids, tagIds],
    );
    return changed.length;
  }
}
