/** The tables of clicks in ClickHouse (docs/decisions/0029-clicks-in-clickhouse.md). */
export interface ClickHouseMigration {
  name: string;
  /** Each may run several times, because processes that start at once run the same migration. */
  statements: string[];
}

export const clickTables = {
  clicks: 'clicked_at',
  link_clicks_by_quarter: 'quarter',
  project_clicks_by_quarter: 'quarter',
} as const;
export type ClickTable = keyof typeof clickTables;

/** The tables, and the views that fill two of them. */
export const namesOfTables = [
  ...Object.keys(clickTables),
  'link_clicks_by_quarter_view',
  'project_clicks_by_quarter_view',
];

/**
 * How many inserts a table remembers, to ignore those that are sent again. Ten processes make so many in eight minutes, and a
 * process sends a batch again after a second.
 */
const rememberedInserts = 10_000;

/** Expired parts are looked for so often. The default of ClickHouse is four hours. */
const retentionIntervalSeconds = 3600;

/** Lets whole months expire at once: so many after the month of the clicks, as partitions of PostgreSQL do. */
export const expiryOf = (table: ClickTable, retentionMonths: number): string =>
  `toDateTime(toStartOfMonth(${clickTables[table]}), 'UTC') + toIntervalMonth(${retentionMonths + 1})`;

export function clickHouseMigrations(retentionMonths: number): ClickHouseMigration[] {
  // Without fsync, an insert is answered before its files are on the disk, and a machine that loses power loses it.
  const create = (table: ClickTable, engine: string, columns: string, key: string): string =>
    `CREATE TABLE IF NOT EXISTS ${table} (
  ${columns}
) ENGINE = ${engine}
PARTITION BY toYYYYMM(${clickTables[table]})
ORDER BY (${key})
TTL ${expiryOf(table, retentionMonths)}
SETTINGS ttl_only_drop_parts = 1, merge_with_ttl_timeout = ${retentionIntervalSeconds},
  non_replicated_deduplication_window = ${rememberedInserts}, fsync_after_insert = 1, fsync_part_directory = 1`;
  // Without the last setting, ClickHouse refuses projections of a table that sums rows.
  const withProjections = (table: ClickTable, columns: string, key: string): string =>
    `${create(table, 'SummingMergeTree', columns, key)}, deduplicate_merge_projection_mode = 'rebuild'`;
  const view = (table: ClickTable, select: string): string =>
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${table}_view TO ${table} AS
${select}`;
  return [
    {
      name: '0001-clicks-and-visitors',
      statements: [
        create(
          'clicks',
          'MergeTree',
          // Single clicks are listed by time, and those of a large project are in the order of its links.
          `project_id UUID,
  dynamic_link_id UUID,
  short_link_id LowCardinality(String) COMMENT 'Empty for the custom path.',
  source LowCardinality(String) COMMENT 'Of the short link.',
  platform LowCardinality(String),
  browser LowCardinality(String) COMMENT 'Empty if unknown, as are referrer and country.',
  referrer LowCardinality(String) COMMENT 'A host, or * beyond the limits of the process.',
  country LowCardinality(String),
  bot Bool,
  qr Bool,
  clicked_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD),
  PROJECTION by_time (SELECT * ORDER BY project_id, clicked_at)`,
          'project_id, dynamic_link_id, clicked_at',
        ),
        withProjections(
          'link_clicks_by_quarter',
          `project_id UUID,
  dynamic_link_id UUID,
  quarter DateTime('UTC') CODEC(Delta, ZSTD),
  short_link_id LowCardinality(String),
  source LowCardinality(String),
  platform LowCardinality(String),
  browser LowCardinality(String),
  referrer LowCardinality(String),
  country LowCardinality(String),
  ${sumColumns}${projection('by_day', `project_id, dynamic_link_id, ${longerPeriods.by_day}, platform, browser, country`)}`,
          'project_id, dynamic_link_id, quarter, short_link_id, source, platform, browser, referrer, country',
        ),
        withProjections(
          'project_clicks_by_quarter',
          `project_id UUID,
  dimension LowCardinality(String),
  quarter DateTime('UTC') CODEC(Delta, ZSTD),
  value LowCardinality(String) COMMENT 'Empty for clicks without a value. Of visitors: platform, browser and country, with a bar between them.',
  ${sumColumns}${Object.entries(longerPeriods)
    .map(([name, period]) => projection(name, `project_id, dimension, ${period}, value`))
    .join('')}`,
          'project_id, dimension, quarter, value',
        ),
        view(
          'link_clicks_by_quarter',
          `SELECT project_id, dynamic_link_id, toDateTime(toStartOfFifteenMinutes(clicked_at), 'UTC') AS quarter,
  short_link_id, source, platform, browser, referrer, country, ${sums}
FROM clicks
GROUP BY project_id, dynamic_link_id, quarter, short_link_id, source, platform, browser, referrer, country`,
        ),
        view(
          'project_clicks_by_quarter',
          `SELECT project_id, dimension, toDateTime(toStartOfFifteenMinutes(clicked_at), 'UTC') AS quarter, value, ${sums}
FROM clicks
ARRAY JOIN
  ['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source', 'visitor'] AS dimension,
  [toString(platform), toString(browser), toString(referrer), toString(country), toString(dynamic_link_id),
   toString(short_link_id), toString(source), concat(platform, '|', browser, '|', country)] AS value
GROUP BY project_id, dimension, quarter, value`,
        ),
      ],
    },
  ];
}

/**
 * Periods (UTC) that have sums besides quarters of an hour, so that long windows read fewer rows. ClickHouse uses them if a statement has
 * the same expression. Links have days only.
 */
export const longerPeriods = {
  by_hour: "toStartOfHour(quarter, 'UTC')",
  by_day: 'toDate(quarter)',
} as const;

const projection = (name: string, key: string): string => `,
  PROJECTION ${name} (
    SELECT ${key}, sum(clicks), sum(qr_scans), sum(bots), sum(bot_qr_scans)
    GROUP BY ${key}
  )`;

const sumColumns = `clicks UInt64 COMMENT 'Without those of bots.',
  qr_scans UInt64 COMMENT 'Among clicks.',
  bots UInt64,
  bot_qr_scans UInt64 COMMENT 'Among bots.'`;

const sums = `countIf(NOT bot) AS clicks, countIf(NOT bot AND qr) AS qr_scans, countIf(bot) AS bots, countIf(bot AND qr) AS bot_qr_scans`;
