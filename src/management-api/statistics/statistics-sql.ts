import { otherReferrer } from '../../clicks/distinct-referrers';
import { type Grouping, maxGroups, type StatisticsCriteria } from './statistics';
import { type Piece, piecesOf } from './statistics-window';

/** The column of a click that each grouping uses. */
const columnOf: Record<Grouping, string> = {
  platform: 'platform',
  browser: 'browser',
  referrer: 'referrer',
  country: 'country',
  link: 'dynamic_link_id',
  short_link: 'short_link_id',
  source: 'source',
};

/** Groupings by properties of the opened link. All others use properties of the visitor. */
const byOpenedLink = new Set<Grouping>(['link', 'short_link', 'source']);

/** In this grouping each click has a value, so that its sums are those of all clicks. */
const total = 'platform';

/** Tables of sums. A row has the sums of each unit of its period. */
const tables = [
  { of: 'days', table: 'clicks_by_day', period: 'month' },
  { of: 'quarters', table: 'clicks_by_quarter', period: 'day' },
] as const;

/** The columns of sums, each with the condition of its clicks. */
const columns = {
  clicks: 'bot IS NOT TRUE',
  qr_scans: 'bot IS NOT TRUE AND qr',
  bots: 'bot',
  bot_qr_scans: 'bot AND qr',
} as const;
type Column = keyof typeof columns;

/** The requested sums by their names in the result. Each adds up one or several columns. */
type RequestedSums = Partial<Record<'clicks' | 'qr_scans' | 'bots', readonly Column[]>>;

/** Builds one statement, so that all sums are from one snapshot. */
export function statisticsSql(question: StatisticsCriteria): { sql: string; values: unknown[] } {
  const { projectId, linkId, window, groupBy, includeBots } = question;
  const values: unknown[] = [projectId, linkId ?? projectId, window.from / 1000, window.to / 1000];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const pieces = (name: string, some: Piece[], period: string) => `${name} AS MATERIALIZED (
  SELECT * FROM unnest(${parameter(some.map((piece) => piece.period))}::date[],
                       ${parameter(some.map(({ part }) => part))}::integer[],
                       ${parameter(some.map(({ first }) => first))}::integer[],
                       ${parameter(some.map(({ last }) => last))}::integer[]) AS piece (${period}, part, first, last)
)`;
  const clicks: RequestedSums = { clicks: includeBots ? ['clicks', 'bots'] : ['clicks'] };
  const both: RequestedSums = { ...clicks, qr_scans: includeBots ? ['qr_scans', 'bot_qr_scans'] : ['qr_scans'] };

  const ofParts = piecesOf(window);
  const partTables = tables.filter(({ of }) => ofParts[of].length > 0);
  const ofLink = linkId !== undefined;
  const ctes = [
    fresh(ofLink, groupBy ?? total, parameter(window.starts.map((start) => start / 1000))),
    ...partTables.map(({ of, period }) => pieces(of, ofParts[of], period)),
    parts(partTables, { ...both, bots: ['bots'] }),
  ];
  if (groupBy !== null) {
    // The whole window as one part has fewer pieces.
    const ofWhole = piecesOf({ to: window.to, starts: [window.from] });
    const wholeTables = tables.filter(({ of }) => ofWhole[of].length > 0);
    ctes.push(...wholeTables.map(({ of, period }) => pieces(`all_${of}`, ofWhole[of], period)));
    ctes.push(groups(wholeTables, ofLink, groupBy, both), groupParts(partTables, ofLink, groupBy, clicks));
  }
  const sql = `WITH ${ctes.join(',\n')}
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       ${groupBy === null ? 'NULL' : listedGroups} AS groups`;
  return { sql, values };
}

/**
 * Builds the sums of clicks that are not rolled up yet. A row of `clicks` belongs to one quarter of an hour, and so to one part of
 * the window. If the opened link does not matter, clicks are summed by visitor before the joins.
 *
 * OFFSET 0 makes the planner read batch by batch from the index, because its estimates of the row count are unreliable.
 */
function fresh(ofLink: boolean, grouping: Grouping, starts: string): string {
  const column = columnOf[grouping];
  const what = byOpenedLink.has(grouping);
  const sumsOfColumns = Object.entries(columns).map(
    ([name, which]) => `coalesce(sum(click.times) FILTER (WHERE ${which}), 0) AS ${name}`,
  );
  return `fresh AS MATERIALIZED (
  SELECT coalesce(${column}::text, '') AS value, part, ${sumsOfColumns.join(', ')}
  FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
    SELECT *, width_bucket(floor(extract(epoch FROM clicked_at))::bigint, ${starts}::bigint[]) AS part${ofLink ? ', array_positions(dynamic_link_ids, $2) AS places' : ''}
    FROM clicks
    WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at AND project_id = $1
      AND clicked_at >= to_timestamp($3) AND clicked_at < to_timestamp($4)
      ${ofLink ? 'AND $2 = ANY (dynamic_link_ids)' : ''}
    OFFSET 0
  ) AS row CROSS JOIN LATERAL (
    ${
      ofLink || what
        ? `SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(times) AS times OFFSET 0`
        : `SELECT who, sum(times)::integer AS times FROM (SELECT unnest(opened_by) AS who, unnest(times) AS times) AS alike GROUP BY who`
    }
  ) AS click
    JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
      AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
    ${
      what
        ? `JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY
      AS link (dynamic_link_id, short_link_id, source, place) ON link.place = what`
        : ''
    }
  ${ofLink ? 'WHERE what = ANY (places)' : ''}
  GROUP BY ${column}, part
)`;
}

/** Builds the sums over the units of a row from `first` to `last`. `unnest` after `FROM` would first store its result. */
const ofPiece = (requested: RequestedSums): string =>
  sums(
    requested,
    (column) => `CASE WHEN first = last THEN coalesce(${column}[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(${column}[first:last]) AS of_unit) AS units
    ) END`,
  );

const ofFresh = (requested: RequestedSums): string => sums(requested, (column) => column);

const sums = (requested: RequestedSums, read: (column: Column) => string): string =>
  Object.entries(requested)
    .map(([name, columns]) => `${columns.map(read).join(' + ')} AS ${name}`)
    .join(', ');

const summed = (requested: RequestedSums): string =>
  Object.keys(requested)
    .map((name) => `sum(${name}) AS ${name}`)
    .join(', ');

const inDimension = (dimension: Grouping) => `project_id = $1 AND scope_id = $2 AND dimension = '${dimension}'`;

/**
 * Selects rows for the sums of clicks without a value. Links have no such rows: the sums are those of all clicks minus those of
 * each value.
 */
const rest = (dimension: Grouping) => `project_id = $1 AND scope_id = $2 AND dimension IN ('${total}', '${dimension}')`;
const restOf = (requested: RequestedSums): string =>
  Object.keys(requested)
    .map((name) => `CASE dimension WHEN '${total}' THEN ${name} ELSE -${name} END AS ${name}`)
    .join(', ');

const parts = (from: (typeof tables)[number][], requested: RequestedSums): string => `parts AS (
  SELECT part, ${summed(requested)} FROM (
    ${[
      ...from.map(
        ({ of, table, period }) =>
          `SELECT part, ${ofPiece(requested)} FROM ${of} JOIN ${table} USING (${period}) WHERE ${inDimension(total)}`,
      ),
      `SELECT part, ${ofFresh(requested)} FROM fresh`,
    ].join('\n    UNION ALL ')}
  ) AS piece GROUP BY part
)`;

/** Builds the groups with the most clicks. */
const groups = (
  from: (typeof tables)[number][],
  ofLink: boolean,
  dimension: Grouping,
  requested: RequestedSums,
): string => `top AS MATERIALIZED (
  SELECT value, clicks, qr_scans, count(*) OVER () AS groups
  FROM (
    SELECT value, ${summed(requested)} FROM (
      ${[
        ...from.map(
          ({ of, table, period }) =>
            `SELECT value, ${ofPiece(requested)} FROM all_${of} JOIN ${table} USING (${period}) WHERE ${inDimension(dimension)}`,
        ),
        ...(ofLink && dimension !== total ? from : []).map(
          ({ of, table, period }) => `SELECT '', ${restOf(requested)} FROM (
        SELECT dimension, ${ofPiece(requested)} FROM all_${of} JOIN ${table} USING (${period}) WHERE ${rest(dimension)}
      ) AS piece`,
        ),
        `SELECT value, ${ofFresh(requested)} FROM fresh`,
      ].join('\n      UNION ALL ')}
    ) AS piece GROUP BY value
  ) AS summed
  WHERE clicks > 0 AND value <> '${otherReferrer}' ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

/** Builds the series of the few top groups with one look-up per row, because a day has rows of many other groups. */
const groupParts = (
  from: (typeof tables)[number][],
  ofLink: boolean,
  dimension: Grouping,
  requested: RequestedSums,
): string => `top_parts AS (
  SELECT value, json_object_agg(part, clicks) AS series
  FROM (
    SELECT value, part, ${summed(requested)} FROM (
      ${[
        ...from.map(
          ({ of, table, period }) => `SELECT top.value, piece.part, piece.clicks FROM top CROSS JOIN LATERAL (
        SELECT part, ${ofPiece(requested)} FROM ${of} JOIN ${table} AS counted USING (${period})
        WHERE ${inDimension(dimension)} AND counted.value = top.value OFFSET 0
      ) AS piece`,
        ),
        ...(ofLink && dimension !== total ? from : []).map(
          ({ of, table, period }) => `SELECT '', part, ${restOf(requested)} FROM (
        SELECT dimension, part, ${ofPiece(requested)} FROM ${of} JOIN ${table} USING (${period}) WHERE ${rest(dimension)}
      ) AS piece WHERE '' IN (SELECT value FROM top)`,
        ),
        `SELECT value, part, ${ofFresh(requested)} FROM fresh WHERE value IN (SELECT value FROM top)`,
      ].join('\n      UNION ALL ')}
    ) AS piece GROUP BY value, part
  ) AS summed GROUP BY value
)`;

const listedGroups = `(SELECT json_agg(json_build_object(
    'value', value, 'clicks', clicks, 'qrScans', qr_scans, 'groups', groups, 'series', series
  ) ORDER BY clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value))`;
