import { QueryTooExpensive } from '../../platform/postgres/database-error';
import { type ListDefinition, ListSql, type Push } from '../../platform/tables/list-sql';
import { maxRankedLinks } from './click-periods';
import type { ArchivedChoice, DynamicLinkSortKey } from './dynamic-link';
import { columnFilters, type DynamicLinkFilters, type DynamicLinkListRequest } from './dynamic-link.repository';

export const live = 't.deleted_at IS NULL';

/** Selects the embedded summaries in the same query. */
const apps = `
  (SELECT json_build_object('id', app.id, 'name', app.name, 'bundle_id', app.bundle_id)
   FROM ios_apps app WHERE app.project_id = t.project_id AND app.id = t.ios_app_id) AS "iosApp",
  (SELECT json_build_object('id', app.id, 'name', app.name, 'package_name', app.package_name)
   FROM android_apps app WHERE app.project_id = t.project_id AND app.id = t.android_app_id) AS "androidApp"`;

/** Links that are deleted and not purged yet are few, mostly none. */
const notMarked = `t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL))`;

/** Returns the number of all links, or of those with or without one tag, which triggers keep. */
const keptTotal =
  (ofProject: string, ofTag: string) =>
  ({ tag, exclude_tag: without, ...others }: Record<string, unknown>, push: Push): string | null => {
    const ids = (tag ?? without ?? []) as string[];
    const isOneTag = ids.length === 1 && (tag === undefined || without === undefined);
    const isAll = tag === undefined && without === undefined;
    if (!(isAll || isOneTag) || Object.values(others).some((value) => value !== undefined)) return null;
    const all = `(SELECT coalesce(sum(${ofProject}), 0) FROM project_counts WHERE project_id = $1)`;
    if (isAll) return all;
    const tagged = `(SELECT coalesce(sum(${ofTag}), 0) FROM tag_counts WHERE tag_id = $${push(ids[0])})`;
    return tag ? tagged : `${all} - ${tagged}`;
  };

/** The tags of a link with their places. Those that were merged lead to the other tag, and removed ones are left out. */
const shownTags = `
  SELECT tag.id, tag.name, min(given.place) AS place
  FROM unnest(t.tag_ids) WITH ORDINALITY AS given (id, place) JOIN tags own ON own.id = given.id
    JOIN tags tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
  GROUP BY tag.id, tag.name`;

const tagNames = `
  CASE WHEN t.tag_ids = '{}' THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(shown.name ORDER BY shown.place), '[]') FROM (${shownTags}) AS shown
  ) END AS tags`;

/** Selects the ids of the tags that a link shows. */
export const shownTagIds = `SELECT shown.id FROM (${shownTags}) AS shown ORDER BY shown.place`;

const links: ListDefinition<DynamicLinkSortKey> = {
  only: live,
  onlyInPages: notMarked,
  conditions: {
    ids: (ids) => `t.id = ANY (${ids}::uuid[])`,
    external_id: (value) => `t.external_id = ${value} AND ${live}`,
    // The index has links with tags only.
    tag: (ids) => `t.tag_ids <> '{}' AND t.tag_ids && ${ids}::uuid[]`,
    exclude_tag: (ids) => `NOT t.tag_ids && ${ids}::uuid[]`,
  },
  searched: ['t.search_text'],
  sortColumns: {
    name: 'name COLLATE "C"',
    custom_path: 'custom_path',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  extra: `${apps}, ${tagNames}`,
  // Counting the rows of a large project takes longer than reading a page of them.
  keptTotal: keptTotal('dynamic_links', 'links'),
};

/** The list of each choice. Indexes of the orders include `archived`, and one has archived links only. */
export const lists: Record<ArchivedChoice, ListDefinition<DynamicLinkSortKey>> = {
  any: links,
  false: {
    ...links,
    only: `${live} AND NOT t.archived`,
    onlyInPages: `NOT t.archived AND ${notMarked}`,
    keptTotal: keptTotal('dynamic_links - archived_links', 'links - archived_links'),
  },
  true: {
    ...links,
    only: `${live} AND t.archived`,
    onlyInPages: `t.archived AND ${notMarked}`,
    keptTotal: keptTotal('archived_links', 'archived_links'),
  },
};

/** Returns the values of the list's filters, by their names. */
export const filtersOf = (request: DynamicLinkFilters): Record<string, unknown> => ({
  ...Object.fromEntries(columnFilters.map((column) => [column, request[column]])),
  ids: request.ids,
  tag: request.tags?.with,
  exclude_tag: request.tags?.without,
});

/**
 * Returns the SQL of a page in the order of a count of each link.
 * @throws QueryTooExpensive for too many counts
 */
export function pageByCounts(
  projectId: string,
  request: Omit<DynamicLinkListRequest, 'sortBy'>,
  counts: ReadonlyMap<string, number>,
) {
  if (counts.size > maxRankedLinks)
    throw new QueryTooExpensive(new Error(`${counts.size} links are too many to sort by clicks`));
  const order = { search: request.search, sortBy: 'created_at' as const };
  const list = new ListSql('dynamic_links', lists[request.archived], projectId, order, filtersOf(request));
  return list.pageByNumbers(counts, request);
}
