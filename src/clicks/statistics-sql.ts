import { type Grouping, mostGroups, type StatisticsQuestion } from './statistics';
import { type Piece, piecesOf } from './statistics-window';

/** Of a row of `clicks`: the `value` that it will have in the dimension of the grouping. */
const valueOf: Record<Grouping | 'total', string> = {
  total: "''",
  platform: 'platform',
  browser: "coalesce(browser, '')",
  referrer: "coalesce(referrer, '')",
  country: "coalesce(country, '')",
  link: 'dynamic_link_id::text',
  short_link: "coalesce(short_link_id::text, '')",
  source: "coalesce(source, '')",
};

/** Tables of sums, and what each row has the sums of. */
const tables = [
  { of: 'days', table: 'clicks_by_day', period: 'month' },
  { of: 'quarters', table: 'clicks_by_quarter', period: 'day' },
] as const;

/** The columns of sums, and which rows of `clicks` are in each. */
const columns = {
  clicks: 'NOT bot',
  qr_scans: 'NOT bot AND qr',
  bots: 'bot',
  bot_qr_scans: 'bot AND qr',
} as const;
type Column = keyof typeof columns;

/** Sums that are asked for, by what they are called in the answer. Each is of one or several columns. */
type Asked = Partial<Record<'clicks' | 'qr_scans' | 'bots', readonly Column[]>>;

/** One statement, so that all sums are of one moment. */
export function statisticsSql(question: StatisticsQuestion): { sql: string; values: unknown[] } {
  const { projectId, linkId, window, includeBots } = question;
  // The links of one link are that link.
  const groupBy = question.groupBy === 'link' && linkId !== undefined ? 'total' : question.groupBy;
  const values: unknown[] = [projectId, linkId ?? projectId, window.from / 1000, window.to / 1000];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const pieces = (name: string, some: Piece[], period: string) => `${name} AS MATERIALIZED (
  SELECT * FROM unnest(${parameter(some.map((piece) => piece.period))}::date[],
                       ${parameter(some.map(({ part }) => part))}::integer[],
                       ${parameter(some.map(({ first }) => first))}::integer[],
                       ${parameter(some.map(({ last }) => last))}::integer[]) AS piece (${period}, part, first, last)
)`;
  const clicks: Asked = { clicks: includeBots ? ['clicks', 'bots'] : ['clicks'] };
  const both: Asked = { ...clicks, qr_scans: includeBots ? ['qr_scans', 'bot_qr_scans'] : ['qr_scans'] };

  const ofParts = piecesOf(window);
  const partTables = tables.filter(({ of }) => ofParts[of].length > 0);
  const ctes = [
    fresh(linkId !== undefined, groupBy ?? 'total', parameter(window.starts.map((start) => start / 1000))),
    ...partTables.map(({ of, period }) => pieces(of, ofParts[of], period)),
    parts(partTables, { ...both, bots: ['bots'] }),
  ];
  if (groupBy !== null) {
    // As one part the window has fewer pieces.
    const ofWhole = piecesOf({ to: window.to, starts: [window.from] });
    const wholeTables = tables.filter(({ of }) => ofWhole[of].length > 0);
    ctes.push(...wholeTables.map(({ of, period }) => pieces(`all_${of}`, ofWhole[of], period)));
    ctes.push(groups(wholeTables, groupBy, both), groupParts(partTables, groupBy, clicks));
  }
  const key = groupBy === 'total' ? '$2::text' : 'value';
  const sql = `WITH ${ctes.join(',\n')}
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       ${groupBy === null ? 'NULL' : toldGroups(key)} AS groups`;
  return { sql, values };
}

/** What is not rolled up yet. OFFSET 0: batch by batch, by the index, whatever is known of how many there are. */
const fresh = (ofLink: boolean, dimension: Grouping | 'total', starts: string): string => `fresh AS (
  SELECT ${valueOf[dimension]} AS value, width_bucket(floor(extract(epoch FROM clicked_at))::bigint, ${starts}::bigint[]) AS part,
         ${Object.entries(columns)
           .map(
             ([column, which]) =>
               `CASE WHEN ${which} THEN 1 + coalesce(cardinality(others), 0) ELSE 0 END AS ${column}`,
           )
           .join(', ')}
  FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
    SELECT * FROM clicks
    WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at AND project_id = $1
      ${ofLink ? 'AND dynamic_link_id = $2' : ''}
    OFFSET 0
  ) AS click
  WHERE clicked_at >= to_timestamp($3) AND clicked_at < to_timestamp($4)
)`;

/** Each of the sums over the units of a row from `first` to `last`. `unnest` after `FROM` would first store what it gives. */
const ofPiece = (asked: Asked): string =>
  sums(
    asked,
    (column) => `CASE WHEN first = last THEN coalesce(${column}[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(${column}[first:last]) AS of_unit) AS units
    ) END`,
  );

const ofFresh = (asked: Asked): string => sums(asked, (column) => column);

const sums = (asked: Asked, read: (column: Column) => string): string =>
  Object.entries(asked)
    .map(([name, columns]) => `${columns.map(read).join(' + ')} AS ${name}`)
    .join(', ');

const summed = (asked: Asked): string =>
  Object.keys(asked)
    .map((name) => `sum(${name}) AS ${name}`)
    .join(', ');

const inDimension = (dimension: Grouping | 'total') =>
  `project_id = $1 AND scope_id = $2 AND dimension = '${dimension}'`;

const parts = (from: (typeof tables)[number][], asked: Asked): string => `parts AS (
  SELECT part, ${summed(asked)} FROM (
    ${[
      ...from.map(
        ({ of, table, period }) =>
          `SELECT part, ${ofPiece(asked)} FROM ${of} JOIN ${table} USING (${period}) WHERE ${inDimension('total')}`,
      ),
      `SELECT part, ${ofFresh(asked)} FROM fresh`,
    ].join('\n    UNION ALL ')}
  ) AS piece GROUP BY part
)`;

/** The groups with the most clicks. */
const groups = (
  from: (typeof tables)[number][],
  dimension: Grouping | 'total',
  asked: Asked,
): string => `top AS MATERIALIZED (
  SELECT value, clicks, qr_scans, count(*) OVER () AS groups
  FROM (
    SELECT value, ${summed(asked)} FROM (
      ${[
        ...from.map(
          ({ of, table, period }) =>
            `SELECT value, ${ofPiece(asked)} FROM all_${of} JOIN ${table} USING (${period}) WHERE ${inDimension(dimension)}`,
        ),
        `SELECT value, ${ofFresh(asked)} FROM fresh`,
      ].join('\n      UNION ALL ')}
    ) AS piece GROUP BY value
  ) AS summed
  WHERE clicks > 0 ORDER BY clicks DESC, value COLLATE "C" LIMIT ${mostGroups}
)`;

/** Row by row of the few groups: of the days there are many rows, and the planner does not know of how many groups. */
const groupParts = (
  from: (typeof tables)[number][],
  dimension: Grouping | 'total',
  asked: Asked,
): string => `top_parts AS (
  SELECT value, json_object_agg(part, clicks) AS series
  FROM (
    SELECT value, part, ${summed(asked)} FROM (
      ${[
        ...from.map(
          ({ of, table, period }) => `SELECT top.value, piece.part, piece.clicks FROM top CROSS JOIN LATERAL (
        SELECT part, ${ofPiece(asked)} FROM ${of} JOIN ${table} AS counted USING (${period})
        WHERE ${inDimension(dimension)} AND counted.value = top.value OFFSET 0
      ) AS piece`,
        ),
        `SELECT value, part, ${ofFresh(asked)} FROM fresh WHERE value IN (SELECT value FROM top)`,
      ].join('\n      UNION ALL ')}
    ) AS piece GROUP BY value, part
  ) AS summed GROUP BY value
)`;

const toldGroups = (key: string): string => `(SELECT json_agg(json_build_object(
    'value', ${key}, 'clicks', clicks, 'qrScans', qr_scans, 'groups', groups, 'series', series
  ) ORDER BY clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value))`;
