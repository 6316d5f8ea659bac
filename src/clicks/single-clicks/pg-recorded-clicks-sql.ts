import { clickArrays, clickColumns } from '../recording/click';
import { maxRepeated } from './click-position';
import { type ClickCriteria, type ClickFilter, keySeparator } from './recorded-click';

type Parameter = (value: unknown) => string;

const arrays = clickArrays.join(', ');

/** The type of each filter, and the expression that it compares. */
const filters: Record<Exclude<keyof ClickFilter, 'includeBots'>, [type: string, expression: string]> = {
  dynamicLinkId: ['uuid', 'dynamic_link_id'],
  shortLinkId: ['uuid', 'short_link_id'],
  source: ['text', 'source'],
  platform: ['text', 'platform'],
  browser: ['text', `coalesce(browser, '')`],
  referrer: ['text', `coalesce(referrer, '')`],
  country: ['text', `coalesce(country, '')`],
  qr: ['boolean', 'coalesce(qr, false)'],
};

const key = `concat_ws('${keySeparator}', ${clickColumns
  .map((column) =>
    column === 'bot' || column === 'qr' ? `coalesce(${column}, false)::integer` : `coalesce(${column}::text, '')`,
  )
  .join(', ')})`;

/**
 * Lists groups of clicks of a row that differ only in time, with the number of earlier clicks in `moments`. Full joins are never
 * nested loops, and OFFSET 0 keeps them full. The planner cannot estimate arrays, and would compare each group with each visitor.
 */
const groups = `(
    SELECT count, first, dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr
    FROM (
      SELECT what, who, count, (sum(count) OVER (ORDER BY place) - count)::integer AS first
      FROM unnest(opened, opened_by, times) WITH ORDINALITY AS alike (what, who, count, place)
    ) AS alike
      FULL JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY
        AS link (dynamic_link_id, short_link_id, source, link_place) ON link_place = what
      FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
        AS visitor (platform, browser, referrer, country, bot, qr, visitor_place) ON visitor_place = who
    OFFSET 0
  ) AS alike`;

const clicksOfChosen = (condition: string): string => `chosen CROSS JOIN LATERAL (
    SELECT * FROM ${groups} WHERE count > 0 AND ${condition}
  ) AS alike CROSS JOIN LATERAL generate_series(1, alike.count::integer) AS number`;

/** In memory, an array is read at any place. A stored one would be read as a whole for each click. */
const momentsInMemory = `moments || '{}'::integer[] AS moments`;

function parameters(values: unknown[]): Parameter {
  return (value) => `$${values.push(value)}`;
}

function conditionOf({ includeBots, ...values }: ClickFilter, parameter: Parameter): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return [
    ...(includeBots ? [] : ['bot IS NOT TRUE']),
    ...present.map(([name, value]) => {
      const [type, expression] = filters[name as keyof typeof filters];
      return `${expression} = ${parameter(value)}::${type}`;
    }),
    'true',
  ].join(' AND ');
}

function rowCondition({ dynamicLinkId }: ClickFilter, parameter: Parameter): string {
  return dynamicLinkId === undefined ? 'true' : `dynamic_link_ids @> ARRAY[${parameter(dynamicLinkId)}::uuid]`;
}

function matchingOf(filter: ClickFilter, condition: string): string {
  const { includeBots, ...values } = filter;
  const some = `(SELECT coalesce(sum(count), 0) FROM ${groups} WHERE count > 0 AND ${condition})`;
  const all = 'cardinality(moments)';
  if (Object.values(values).some((value) => value !== undefined)) return some;
  return includeBots ? all : `CASE WHEN bots IS NULL THEN ${all} ELSE ${some} END`;
}

/** Builds a statement for the oldest of the next `rows` rows before `to`. Rows are those of the project. */
export const oldestRowSql = `SELECT (extract(epoch FROM min(clicked_at)) * 1000)::float8 AS oldest FROM (
  SELECT clicked_at FROM clicks
  WHERE project_id = $1 AND clicked_at >= to_timestamp($2::float8 / 1000) AND clicked_at < to_timestamp($3::float8 / 1000)
  ORDER BY clicked_at DESC LIMIT $4
) AS newest`;

/**
 * Builds a statement for the clicks of rows from `begin` to `end` that follow a position, newest first.
 * Only rows that reach into the page are listed click by click. Down to the threshold, rows that follow the position have enough clicks.
 */
export function listSql(
  criteria: ClickCriteria,
  rows: { begin: number; end: number },
  position: { at: number; key: string; repeated: number },
  limit: number,
): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = parameters(values);
  const condition = conditionOf(criteria.filter, parameter);
  const at = parameter(position.at);
  const maxRows = parameter(limit + position.repeated);
  const isAfter = position.repeated < maxRepeated ? '<=' : '<';
  const sql = `WITH stored AS MATERIALIZED (
  SELECT base, base + low AS oldest, base + high AS newest, ${matchingOf(criteria.filter, condition)} AS matching, ${arrays}, moments
  FROM (
    SELECT *, (extract(epoch FROM clicked_at) * 1000)::bigint AS base FROM clicks
    WHERE project_id = ${parameter(criteria.projectId)} AND clicked_at >= to_timestamp(${parameter(rows.begin)}::float8 / 1000)
      AND clicked_at < to_timestamp(${parameter(rows.end)}::float8 / 1000) AND ${rowCondition(criteria.filter, parameter)}
  ) AS clicks CROSS JOIN LATERAL (SELECT min(moment) AS low, max(moment) AS high FROM unnest(moments) AS moment) AS span
), threshold AS MATERIALIZED (
  SELECT CASE WHEN max(before + matching) >= ${maxRows}::bigint THEN min(oldest) FILTER (WHERE before < ${maxRows}::bigint) END AS at
  FROM (
    SELECT oldest, matching, sum(matching) OVER (ORDER BY oldest DESC ROWS UNBOUNDED PRECEDING) - matching AS before
    FROM stored WHERE newest < ${at}::bigint
  ) AS complete
), chosen AS MATERIALIZED (
  SELECT base, ${arrays}, ${momentsInMemory} FROM stored
  WHERE matching > 0 AND oldest <= ${at}::bigint AND newest >= coalesce((SELECT at FROM threshold), 0)
)
SELECT at::float8 AS at, key FROM (
  SELECT base + moments[first + number] AS at, ${key} COLLATE "C" AS key FROM ${clicksOfChosen(condition)}
) AS click
WHERE at >= ${parameter(criteria.from)}::bigint AND at < ${parameter(criteria.to)}::bigint
  AND (at, key) ${isAfter} (${at}::bigint, ${parameter(position.key)}::text COLLATE "C")
ORDER BY at DESC, key DESC LIMIT ${maxRows}::bigint`;
  return { sql, values };
}

/**
 * Builds a statement for lines of the next rows after a time, as PostgreSQL writes it. They are at most `rows` and those of the
 * same time as the last, and less if they have many clicks. Its row has their last time, their number and that of their clicks.
 */
export function linesSql(
  criteria: ClickCriteria,
  after: string,
  limits: { rows: number; clicks: number },
): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = parameters(values);
  const condition = conditionOf(criteria.filter, parameter);
  const sql = `WITH next AS MATERIALIZED (
  SELECT *, sum(cardinality(moments)) OVER (ORDER BY clicked_at RANGE UNBOUNDED PRECEDING EXCLUDE GROUP) AS before
  FROM (
    SELECT * FROM clicks
    WHERE project_id = ${parameter(criteria.projectId)} AND clicked_at >= to_timestamp(${parameter(criteria.from)}::float8 / 1000)
      AND clicked_at < to_timestamp(${parameter(criteria.to)}::float8 / 1000) AND clicked_at > ${parameter(after)}::timestamptz
    ORDER BY clicked_at FETCH FIRST (${parameter(limits.rows)}::integer) ROWS WITH TIES
  ) AS clicks
), chosen AS MATERIALIZED (
  SELECT clicked_at AS base, ${arrays}, ${momentsInMemory}
  FROM next WHERE before IS NULL OR before < ${parameter(limits.clicks)}::bigint
), line AS (
  SELECT row_to_json(click) AS line FROM (
    SELECT to_char((base + moments[first + number] * interval '1 millisecond') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS clicked_at,
           dynamic_link_id, short_link_id, source, platform, browser, referrer, country,
           coalesce(bot, false) AS bot, coalesce(qr, false) AS qr
    FROM ${clicksOfChosen(condition)}
  ) AS click
)
SELECT count(*)::integer AS rows, sum(cardinality(moments))::integer AS clicks, max(base)::text AS last,
       (SELECT string_agg(line::text || E'\n', '') FROM line) AS lines
FROM chosen`;
  return { sql, values };
}
