/** The tables of clicks in ClickHouse (docs/decisions/0029-clicks-in-clickhouse.md). */
export interface ClickHouseMigration {
  name: string;
  /** Each may run several times, because processes that start at once run the same migration. */
  statements: string[];
}

interface Options {
  /** The cluster whose servers have the tables; null for one server. */
  cluster: string | null;
  retentionMonths: number;
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

/** Returns the name of the table that stores rows. With a cluster, the plain name is that of a distributed table. */
export const storedTable = (table: string, cluster: string | null): string =>
  cluster === null ? table : `${table}_stored`;

export const engineOf = (mergeTree: string, cluster: string | null): string =>
  cluster === null ? mergeTree : `Replicated${mergeTree}`;

export const onCluster = (cluster: string | null): string => (cluster === null ? '' : ` ON CLUSTER \`${cluster}\``);

/** Lets whole months expire at once: so many after the month of the clicks, as partitions of PostgreSQL do. */
export const expiryOf = (table: ClickTable, retentionMonths: number): string =>
  `toDateTime(toStartOfMonth(${clickTables[table]}), 'UTC') + toIntervalMonth(${retentionMonths + 1})`;

export function clickHouseMigrations({ cluster, retentionMonths }: Options): ClickHouseMigration[] {
  const on = onCluster(cluster);
  const create = (table: ClickTable, mergeTree: string, columns: string, key: string): string[] => {
    const time = clickTables[table];
    const stored = `CREATE TABLE IF NOT EXISTS ${storedTable(table, cluster)}${on} (
  ${columns}
) ENGINE = ${engineOf(mergeTree, cluster)}
PARTITION BY toYYYYMM(${time})
ORDER BY (${key})
TTL ${expiryOf(table, retentionMonths)}
SETTINGS ttl_only_drop_parts = 1, merge_with_ttl_timeout = ${retentionIntervalSeconds},
  non_replicated_deduplication_window = ${rememberedInserts}${
    cluster === null ? '' : `, replicated_deduplication_window = ${rememberedInserts}`
  }`;
    return cluster === null
      ? [stored]
      : [
          stored,
          `CREATE TABLE IF NOT EXISTS ${table}${on} AS ${storedTable(table, cluster)}
ENGINE = Distributed('${cluster}', currentDatabase(), '${storedTable(table, cluster)}', ${shardingKeys[table]})`,
        ];
  };
  const view = (table: ClickTable, select: string): string =>
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${table}_view${on} TO ${storedTable(table, cluster)} AS
${select}`;
  const clicks = storedTable('clicks', cluster);
  const sumsOfProjects = storedTable('project_clicks_by_quarter', cluster);

  return [
    {
      name: '0001-clicks',
      statements: [
        ...create(
          'clicks',
          'MergeTree',
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
  clicked_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD)`,
          'project_id, dynamic_link_id, clicked_at',
        ),
        ...create(
          'link_clicks_by_quarter',
          'SummingMergeTree',
          `project_id UUID,
  dynamic_link_id UUID,
  quarter DateTime('UTC') CODEC(Delta, ZSTD),
  short_link_id LowCardinality(String),
  source LowCardinality(String),
  platform LowCardinality(String),
  browser LowCardinality(String),
  referrer LowCardinality(String),
  country LowCardinality(String),
  ${sumColumns}`,
          'project_id, dynamic_link_id, quarter, short_link_id, source, platform, browser, referrer, country',
        ),
        ...create(
          'project_clicks_by_quarter',
          'SummingMergeTree',
          `project_id UUID,
  dimension LowCardinality(String),
  quarter DateTime('UTC') CODEC(Delta, ZSTD),
  value LowCardinality(String) COMMENT 'Empty for clicks without a value.',
  ${sumColumns}`,
          'project_id, dimension, quarter, value',
        ),
        view(
          'link_clicks_by_quarter',
          `SELECT project_id, dynamic_link_id, toDateTime(toStartOfFifteenMinutes(clicked_at), 'UTC') AS quarter,
  short_link_id, source, platform, browser, referrer, country, ${sums}
FROM ${clicks}
GROUP BY project_id, dynamic_link_id, quarter, short_link_id, source, platform, browser, referrer, country`,
        ),
        view(
          'project_clicks_by_quarter',
          `SELECT project_id, dimension, toDateTime(toStartOfFifteenMinutes(clicked_at), 'UTC') AS quarter, value, ${sums}
FROM ${clicks}
ARRAY JOIN
  ['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source'] AS dimension,
  [toString(platform), toString(browser), toString(referrer), toString(country), toString(dynamic_link_id),
   toString(short_link_id), toString(source)] AS value
GROUP BY project_id, dimension, quarter, value`,
        ),
      ],
    },
    {
      name: '0002-projections',
      statements: [
        // Without it, ClickHouse refuses projections of a table that sums rows.
        `ALTER TABLE ${sumsOfProjects}${on} MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild'`,
        ...Object.entries(longerPeriods).flatMap(([name, period]) => [
          `ALTER TABLE ${sumsOfProjects}${on} ADD PROJECTION IF NOT EXISTS ${name} (
  SELECT project_id, dimension, ${period}, value, sum(clicks), sum(qr_scans), sum(bots), sum(bot_qr_scans)
  GROUP BY project_id, dimension, ${period}, value
)`,
          `ALTER TABLE ${sumsOfProjects}${on} MATERIALIZE PROJECTION ${name}`,
        ]),
        // Single clicks are listed by time, and those of a large project are in the order of its links.
        `ALTER TABLE ${clicks}${on} ADD PROJECTION IF NOT EXISTS by_time (SELECT * ORDER BY project_id, clicked_at)`,
        `ALTER TABLE ${clicks}${on} MATERIALIZE PROJECTION by_time`,
      ],
    },
    {
      name: '0003-fsync',
      // Without it, an insert is answered before its files are on the disk, and a machine that loses power loses it.
      statements: (Object.keys(clickTables) as ClickTable[]).map(
        (table) =>
          `ALTER TABLE ${storedTable(table, cluster)}${on} MODIFY SETTING fsync_after_insert = 1, fsync_part_directory = 1`,
      ),
    },
  ];
}

/**
 * Periods (UTC) that have sums besides quarters of an hour, so that long windows of projects with many links read fewer rows. ClickHouse
 * uses them if a statement has the same expression.
 */
export const longerPeriods = {
  by_hour: "toStartOfHour(quarter, 'UTC')",
  by_day: 'toDate(quarter)',
} as const;

/** A link's clicks are on one shard, and those of a large project on all. */
const shardingKeys: Record<ClickTable, string> = {
  clicks: 'cityHash64(project_id, dynamic_link_id)',
  link_clicks_by_quarter: 'cityHash64(project_id, dynamic_link_id)',
  project_clicks_by_quarter: 'cityHash64(project_id)',
};

const sumColumns = `clicks UInt64 COMMENT 'Without those of bots.',
  qr_scans UInt64 COMMENT 'Among clicks.',
  bots UInt64,
  bot_qr_scans UInt64 COMMENT 'Among bots.'`;

const sums = `countIf(NOT bot) AS clicks, countIf(NOT bot AND qr) AS qr_scans, countIf(bot) AS bots, countIf(bot AND qr) AS bot_qr_scans`;
