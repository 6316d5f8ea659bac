import { linkParamsSql } from '../../links/link-templates/template-params-sql';
import { maxGroups } from './statistics';

/** Selects the tags of each link, and an empty one if it has none or is deleted. Merged tags lead to the other tag. */
export const linkTags = `link_tags AS MATERIALIZED (
  SELECT DISTINCT of_links.value AS link, coalesce(tag.id::text, '') AS value
  FROM of_links LEFT JOIN LATERAL (
    SELECT tag.id
    FROM dynamic_links AS link CROSS JOIN LATERAL unnest(link.tag_ids) AS given (id) JOIN tags AS own ON own.id = given.id
      JOIN tags AS tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
    WHERE link.project_id = $1 AND link.id = nullif(of_links.value, '')::uuid AND link.deleted_at IS NULL
  ) AS tag ON true
)`;

/** Selects the value that each link has for a parameter, and an empty one if it has none or is deleted. */
export const linkParameters = (name: string): string => `link_tags AS MATERIALIZED (
  SELECT of_links.value AS link, coalesce((
    SELECT pair ->> 1 FROM dynamic_links AS link CROSS JOIN LATERAL jsonb_array_elements(${linkParamsSql}) AS pair
    WHERE link.project_id = $1 AND link.id = nullif(of_links.value, '')::uuid AND link.deleted_at IS NULL AND pair ->> 0 = ${name} LIMIT 1
  ), '') AS value
  FROM of_links
)`;

/** Compares by a hash table. The planner expects few rows and groups, so that a join could compare each with each. */
export const isOfTop = (value: string): string => `(${value} IN (SELECT value FROM top)) IS TRUE`;

/** Builds the tags with the most clicks. Their sums overlap, because a link may have several tags. */
export const tagGroups = `top AS MATERIALIZED (
  SELECT *, count(*) OVER () AS groups, sum(clicks) OVER () AS all_clicks, sum(qr_scans) OVER () AS all_qr_scans
  FROM (
    SELECT link_tags.value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans
    FROM of_links JOIN link_tags ON link_tags.link = of_links.value GROUP BY link_tags.value
  ) AS summed
  WHERE clicks > 0 ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

/** Sums the parts of each top tag. OFFSET 0 keeps the join full, because an inner one could compare each part with each link. */
export const partsOfTags = (pieces: string[]): string => `top_parts AS MATERIALIZED (
  SELECT value, array_agg(part) AS parts, array_agg(clicks) AS clicks FROM (
    SELECT value, part, sum(clicks) AS clicks FROM (
      SELECT listed.value, part, clicks FROM (
        ${pieces.join('\n        UNION ALL ')}
      ) AS piece FULL JOIN (SELECT link, value FROM link_tags WHERE ${isOfTop('value')}) AS listed ON listed.link = piece.value
      OFFSET 0
    ) AS piece WHERE clicks <> 0 AND value IS NOT NULL GROUP BY value, part
  ) AS piece WHERE clicks <> 0 GROUP BY value
)`;
