import { type Grouping, mostGroups, type StatisticsQuestion } from './statistics';
import { quarterHour } from './statistics-window';

const day = 24 * 60 * 60_000;

/** Where a grouping is found: in `click_counts`, by dimension and column, and in rows of `fresh_clicks`. */
const found: Record<Exclude<Grouping, 'link'>, { dimension: string; column: 'value' | 'detail'; fresh: string }> = {
  platform: { dimension: 'client', column: 'value', fresh: 'platform' },
  browser: { dimension: 'client', column: 'detail', fresh: "coalesce(browser, '')" },
  referrer: { dimension: 'referrer', column: 'value', fresh: "coalesce(referrer, '')" },
  country: { dimension: 'country', column: 'value', fresh: "coalesce(country, '')" },
  short_link: { dimension: 'path', column: 'value', fresh: "coalesce(short_link_id::text, '')" },
  source: { dimension: 'path', column: 'detail', fresh: "coalesce(source, '')" },
};

/**
 * One statement, so that all sums are of one moment. What is rolled up comes by day, and is split into quarters of an hour where
 * the window, or one of its parts, begins or ends within the day (UTC).
 */
export function statisticsSql(question: StatisticsQuestion): { sql: string; values: unknown[] } {
  const { projectId, linkId, window, groupBy, includeBots } = question;
  const { from, to, starts } = window;
  const wholeDays = [...starts, to].every((moment) => moment % day === 0);
  const values = [
    projectId,
    linkId ?? projectId,
    dayOf(from),
    dayOf(to - 1),
    seconds(from),
    seconds(to),
    starts.map(seconds),
    includeBots,
    1 + (from % day) / quarterHour,
    1 + ((to - quarterHour) % day) / quarterHour,
  ];
  const total = rows("dimension = 'total' AND scope_id = $2", "''", "''");
  const ctes = [fresh(linkId !== undefined), parts(total, wholeDays)];
  if (groupBy !== null) {
    const grouped = groupedRows(groupBy, linkId !== undefined);
    ctes.push(groups(grouped), groupParts(grouped, wholeDays));
  }
  const sql = `WITH ${ctes.join(',\n')}
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       ${groupBy === null ? 'NULL' : toldGroups} AS groups`;
  // The last two are for groups alone, and a statement takes no parameter that it does not use.
  return { sql, values: groupBy === null ? values.slice(0, 8) : values };
}

const seconds = (moment: number): number => moment / 1000;
const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** What is not rolled up yet, in the form of what is. */
const fresh = (ofLink: boolean): string => `fresh AS (
  SELECT *, (quarter AT TIME ZONE 'UTC')::date AS day,
         array_fill(clicks::integer, ARRAY[1], ARRAY[1 + extract(epoch FROM (quarter AT TIME ZONE 'UTC')::time)::integer / 900]) AS quarters
  FROM fresh_clicks
  WHERE project_id = $1 ${ofLink ? 'AND dynamic_link_id = $2' : ''}
    AND quarter >= to_timestamp($5) AND quarter < to_timestamp($6)
)`;

/** @param condition on `click_counts`, beside the project and the days */
const rows = (condition: string, key: string, freshKey: string): string => `(
  SELECT day, ${key} AS key, bot, qr, clicks, quarters FROM click_counts
  WHERE project_id = $1 AND ${condition} AND day BETWEEN $3 AND $4
  UNION ALL
  SELECT day, ${freshKey}, bot, qr, clicks, quarters FROM fresh
)`;

function groupedRows(groupBy: Grouping, ofLink: boolean): string {
  if (groupBy === 'link')
    return rows(
      `dimension = 'total' AND ${ofLink ? 'scope_id = $2' : 'scope_id <> $2'}`,
      'scope_id::text',
      'dynamic_link_id::text',
    );
  const { dimension, column, fresh } = found[groupBy];
  return rows(`dimension = '${dimension}' AND scope_id = $2`, column, fresh);
}

/** The rows' clicks by part of the window, `n` at a time. */
const byPart = (source: string, wholeDays: boolean): string =>
  wholeDays
    ? `(SELECT key, bot, qr, clicks AS n, width_bucket((day - date '1970-01-01') * 86400::bigint, $7::bigint[]) AS part
  FROM ${source} AS counted)`
    : `(SELECT key, bot, qr, n, width_bucket(moment, $7::bigint[]) AS part
  FROM ${source} AS counted
    CROSS JOIN LATERAL unnest(quarters) WITH ORDINALITY AS quarter (n, place)
    CROSS JOIN LATERAL (
      SELECT (day - date '1970-01-01') * 86400::bigint + (array_lower(quarters, 1) + place - 2) * 900
    ) AS began (moment)
  WHERE n IS NOT NULL AND moment >= $5 AND moment < $6)`;

const parts = (source: string, wholeDays: boolean): string => `parts AS (
  SELECT part,
         coalesce(sum(n) FILTER (WHERE $8 OR NOT bot), 0) AS clicks,
         coalesce(sum(n) FILTER (WHERE qr AND ($8 OR NOT bot)), 0) AS qr_scans,
         coalesce(sum(n) FILTER (WHERE bot), 0) AS bots
  FROM ${byPart(source, wholeDays)} AS counted GROUP BY part
)`;

/** Those of the days in between come whole, and only the first and the last one are split. */
const groups = (source: string): string => `top AS MATERIALIZED (
  SELECT key, clicks, qr_scans, count(*) OVER () AS groups
  FROM (
    SELECT key, sum(n) AS clicks, coalesce(sum(n) FILTER (WHERE qr), 0) AS qr_scans
    FROM ${source} AS counted
      CROSS JOIN LATERAL (
        SELECT CASE WHEN day > $3 AND day < $4 THEN clicks ELSE (
          SELECT coalesce(sum(of_quarter), 0) FROM unnest(
            quarters[CASE day WHEN $3 THEN $9::integer ELSE 1 END:CASE day WHEN $4 THEN $10::integer ELSE 96 END]
          ) AS of_quarter
        ) END
      ) AS inside (n)
    WHERE ($8 OR NOT bot)
    GROUP BY key
  ) AS summed
  WHERE clicks > 0 ORDER BY clicks DESC, key COLLATE "C" LIMIT ${mostGroups}
)`;

const groupParts = (source: string, wholeDays: boolean): string => `top_parts AS (
  SELECT key, json_object_agg(part, clicks) AS series
  FROM (
    SELECT key, part, sum(n) AS clicks FROM ${byPart(source, wholeDays)} AS counted
    WHERE ($8 OR NOT bot) AND key IN (SELECT key FROM top) GROUP BY key, part
  ) AS summed GROUP BY key
)`;

const toldGroups = `(SELECT json_agg(json_build_object(
    'value', key, 'clicks', clicks, 'qrScans', qr_scans, 'groups', groups, 'series', series
  ) ORDER BY clicks DESC, key COLLATE "C") FROM top JOIN top_parts USING (key))`;
