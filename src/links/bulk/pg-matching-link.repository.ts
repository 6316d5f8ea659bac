import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { ListSql } from '../../platform/tables/list-sql';
import { reportTooExpensive } from '../../platform/tables/too-expensive';
import type { DynamicLinkFilters } from '../dynamic-links/dynamic-link.repository';
import { filtersOf, lists, shownTagIds } from '../dynamic-links/pg-dynamic-link-lists';

const ofProject = 't.project_id = $1 AND t.id = ANY ($2) AND t.deleted_at IS NULL';

export type LinkState = { archived: boolean } | { disabled: boolean };

export interface Matches {
  /** Number of all links that match after an id. */
  total: number;
  /** Ids of the first of them, which are locked. */
  ids: string[];
}

/** Finds and changes sets of links of a project. All methods run in a unit of work. */
@Injectable()
export class PgMatchingLinkRepository {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Locks up to `limit` links that the filters find, in the order of their ids, until the unit of work ends. Links that others create
   * meanwhile are left out. Those that others change or delete, so that they match no longer, are subtracted from the total.
   * @param after the id that precedes the first link; null for all links
   * @throws QueryTooExpensive
   */
  async lockMatching(
    projectId: string,
    filters: DynamicLinkFilters,
    after: string | null,
    limit: number,
  ): Promise<Matches> {
    const request = { search: filters.search, sortBy: 'created_at' as const };
    const list = new ListSql('dynamic_links', lists[filters.archived], projectId, request, filtersOf(filters));
    const { sql, values } = list.matches(after, limit);
    const [row] = await reportTooExpensive(this.context, () => this.context.read<Matches>(sql, values));
    const { total, ids } = row!;
    if (ids.length === 0) return { total, ids };
    const locking = list.lock(ids);
    const locked = await this.context.read<{ id: string }>(locking.sql, locking.values);
    return { total: total - ids.length + locked.length, ids: locked.map(({ id }) => id) };
  }

  /** Returns the number of links that had another state. */
  async setState(projectId: string, ids: string[], state: LinkState): Promise<number> {
    const [column, value] = 'archived' in state ? ['archived', state.archived] : ['disabled', state.disabled];
    const changed = await this.context.write(
      `UPDATE dynamic_links t SET ${column} = $3, updated_at = now() WHERE ${ofProject} AND ${column} <> $3 RETURNING id`,
      [projectId, ids, value],
    );
    return changed.length;
  }

  /**
   * Adds the tags after those of each link that it does not have. Links that would have more than `max` tags stay as they are.
   * @returns the number of links that changed, and the refused ones
   */
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

  /** Returns the number of links that had one of the tags. */
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
