import { columns, type RequestedSums, sums } from './pg-sums-sql';
import type { Grouping as AnyGrouping } from './statistics';
import type { UtmParameter } from './statistics-filter';

type Grouping = Exclude<AnyGrouping, UtmParameter>;

/** The column of a click that each grouping uses. */
const columnOf: Record<Grouping, string> = {
  platform: 'platform',
  browser: 'browser',
  referrer: 'referrer',
  country: 'country',
  link: 'dynamic_link_id',
  short_link: 'short_link_id',
  source: 'source',
  // Tags are those of the opened link.
  tag: 'dynamic_link_id',
};

/** Groupings by properties of the opened link. All others use properties of the visitor. */
const byOpenedLink = new Set<Grouping>(['link', 'short_link', 'source', 'tag']);

/**
 * Builds the sums of clicks that are not rolled up yet. A row of `clicks` belongs to one quarter of an hour, and so to one part of
 * the window. If the opened link does not matter, clicks are summed by visitor before the joins.
 *
 * The planner cannot estimate these rows. OFFSET 0 makes it read batch by batch from the index. A full join is never a nested
 * loop, which would compare each click of a batch with each of its visitors. `times > 0` removes the rows that match no click.
 */
export function fresh(ofLink: boolean, grouping: Grouping, starts: string): string {
  const column = columnOf[grouping];
  const what = byOpenedLink.has(grouping);
  const sumsOfColumns = Object.entries(columns).map(
    ([name, which]) => `coalesce(sum(click.times) FILTER (WHERE ${which}), 0) AS ${name}`,
  );
  const alike = 'SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(times) AS times';
  return `fresh AS MATERIALIZED (
  ${ofLink ? `${waiting(grouping, starts)}\n  UNION ALL ` : ''}SELECT coalesce(click.${column}::text, '') AS value, part, ${sumsOfColumns.join(', ')}
  FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
    SELECT *, width_bucket(floor(extract(epoch FROM clicked_at))::bigint, ${starts}::bigint[]) AS part${ofLink ? ', array_positions(dynamic_link_ids, $2) AS places' : ''}
    FROM clicks
    WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at AND project_id = $1
      AND clicked_at >= to_timestamp($3) AND clicked_at < to_timestamp($4)
      ${ofLink ? 'AND $2 = ANY (dynamic_link_ids)' : ''}
    OFFSET 0
  ) AS row CROSS JOIN LATERAL (
    SELECT ${column}, bot, qr, alike.times
    FROM (
      ${
        ofLink
          ? `SELECT * FROM (${alike}) AS alike WHERE what = ANY (places)`
          : what
            ? alike
            : `SELECT who, sum(times)::integer AS times FROM (${alike}) AS alike GROUP BY who`
      }
    ) AS alike
      FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
        AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
      ${
        what
          ? `FULL JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY
        AS link (dynamic_link_id, short_link_id, source, place) ON link.place = what`
          : ''
      }
    OFFSET 0
  ) AS click
  WHERE click.times > 0
  GROUP BY click.${column}, part
)`;
}

/** The place of each property in a visitor of `clicks_by_link`. */
const placeOf: Partial<Record<Grouping, number>> = { platform: 1, browser: 2, referrer: 3, country: 4 };

/**
 * Builds the sums of clicks that wait for the sums of their link, as `fresh` does. The rows have clicks of many links, so those of
 * others are removed before anything else.
 */
function waiting(grouping: Grouping, starts: string): string {
  const place = placeOf[grouping];
  const value =
    place === undefined ? `coalesce(${columnOf[grouping]}::text, '')` : `split_part(visitor, '|', ${place})`;
  const sumsOfColumns = Object.entries(columns).map(
    ([name, which]) => `coalesce(sum(times) FILTER (WHERE ${which}), 0) AS ${name}`,
  );
  return `SELECT value, part, ${sumsOfColumns.join(', ')}
  FROM (
    SELECT ${value} AS value, width_bucket(moment, ${starts}::bigint[]) AS part, element.times,
           split_part(visitor, '|', 5) = '1' AS bot, split_part(visitor, '|', 6) = '1' AS qr
    FROM clicks_by_link AS row CROSS JOIN LATERAL (
      SELECT *, extract(epoch FROM month)::bigint + 900 * quarter AS moment
      FROM (
        SELECT unnest(dynamic_link_ids) AS dynamic_link_id, unnest(short_link_ids) AS short_link_id, unnest(sources) AS source,
               unnest(visitors) AS visitor, unnest(quarters) AS quarter, unnest(row.times) AS times
      ) AS element WHERE dynamic_link_id = $2 OFFSET 0
    ) AS element
    WHERE project_id = $1 AND bucket = ANY (click_buckets($2))
      AND month BETWEEN date_trunc('month', to_timestamp($3) AT TIME ZONE 'UTC')::date AND (to_timestamp($4) AT TIME ZONE 'UTC')::date
      AND moment >= $3 AND moment < $4
  ) AS click GROUP BY value, part`;
}

export const ofFresh = (requested: RequestedSums): string => sums(requested, (column) => column);
