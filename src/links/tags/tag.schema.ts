import { entitySchema } from '../../platform/postgres/entity-schemas';
import { idColumns, timeColumns } from '../../platform/tables/field-columns';
import type { Tag } from './tag';

export type TagRow = Tag & { retiredAt: Date | null };

/**
 * Selects the number of links. They are counted one by one while some still have the id of a merged tag, because a link may have
 * both.
 */
const linksOf = (tag: string): string => `
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = ${tag}.id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = ${tag}.project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT ${tag}.id UNION ALL SELECT id FROM tags WHERE merged_into = ${tag}.id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = ${tag}.id) END)::int`;

export const TagSchema = entitySchema<TagRow>({
  name: 'Tag',
  tableName: 'tags',
  columns: {
    ...idColumns,
    name: { type: 'text' },
    foldedName: { type: 'text', name: 'folded_name' },
    links: { type: 'integer', virtualProperty: true, query: linksOf },
    ...timeColumns,
    retiredAt: { type: 'timestamptz', name: 'retired_at', deleteDate: true, select: false },
  },
});
