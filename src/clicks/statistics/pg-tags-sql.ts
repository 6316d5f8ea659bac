import { ofFresh } from './pg-fresh-sql';
import { inDimension, type RequestedSums, type Source, summed } from './pg-sums-sql';
import { maxGroups } from './statistics';

/** Builds the sums of each link, whose tags are the groups. */
export const ofLinks = (from: Source[], requested: RequestedSums): string => `of_links AS MATERIALIZED (
  SELECT value, ${summed(requested)} FROM (
    ${[
      ...from.map(
        (source) => `SELECT counted.value, ${source.sums(requested)} FROM ${source.rows(inDimension('link'))}`,
      ),
      `SELECT value, ${ofFresh(requested)} FROM fresh`,
    ].join('\n    UNION ALL ')}
  ) AS piece GROUP BY value
)`;

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

/** Builds the tags with the most clicks. Their sums overlap, because a link may have several tags. */
export const tagGroups = `top AS MATERIALIZED (
  SELECT *, count(*) OVER () AS groups, sum(clicks) OVER () AS all_clicks, sum(qr_scans) OVER () AS all_qr_scans
  FROM (
    SELECT link_tags.value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans
    FROM of_links JOIN link_tags ON link_tags.link = of_links.value GROUP BY link_tags.value
  ) AS summed
  WHERE clicks > 0 ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

export const tagParts = (from: Source[], requested: RequestedSums): string => `top_parts AS (
  SELECT top.value, array_agg(part) AS parts, array_agg(piece.clicks) AS clicks
  FROM (
    ${[
      ...from.map(
        (source) => `SELECT counted.value, part, ${source.sums(requested)} FROM ${source.rows(inDimension('link'))}`,
      ),
      `SELECT value, part, ${ofFresh(requested)} FROM fresh`,
    ].join('\n    UNION ALL ')}
  ) AS piece JOIN link_tags ON link_tags.link = piece.value JOIN top ON top.value = link_tags.value
  WHERE piece.clicks <> 0 GROUP BY top.value
)`;
