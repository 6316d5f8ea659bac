import { otherReferrer } from '../../clicks/distinct-referrers';
import { type Grouping, maxGroups, type StatisticsCriteria } from './statistics';
import { type Piece, piecesOf, type StatisticsWindow } from './statistics-window';

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

/** In this grouping each click has a value, so that its sums are those of all clicks. */
const total = 'platform';

/** Tables of sums. A row has the sums of each unit of its period; rows of months also have their totals. */
const tables = [
  { of: 'days', table: 'clicks_by_day', period: 'month', hasTotals: true },
  { of: 'quarters', table: 'clicks_by_quarter', period: 'day', hasTotals: false },
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
  const sources = (prefix: string, from: Pick<StatisticsWindow, 'to' | 'starts'>): Source[] => {
    const pieces = piecesOf(from);
    return tables
      .filter(({ of }) => pieces[of].length > 0)
      .map((table) => new Source(`${prefix}${table.of}`, table, pieces[table.of], parameter));
  };
  const clicks: RequestedSums = { clicks: includeBots ? ['clicks', 'bots'] : ['clicks'] };
  const both: RequestedSums = { ...clicks, qr_scans: includeBots ? ['qr_scans', 'bot_qr_scans'] : ['qr_scans'] };

  const ofParts = sources('', window);
  const ofLink = linkId !== undefined;
  const ctes = [
    fresh(ofLink, groupBy ?? total, parameter(window.starts.map((start) => start / 1000))),
    ...ofParts.map((source) => source.cte),
    parts(ofParts, { ...both, bots: ['bots'] }),
  ];
  if (groupBy !== null) {
    // The whole window as one part has fewer pieces.
    const ofWhole = sources('all_', { to: window.to, starts: [window.from] });
    ctes.push(...ofWhole.map((source) => source.cte));
    ctes.push(
      ...(groupBy === 'tag'
        ? [ofLinks(ofWhole, both), linkTags, tagGroups, tagParts(ofParts, clicks)]
        : [groups(ofWhole, ofLink, groupBy, both), groupParts(ofParts, ofLink, groupBy, clicks)]),
    );
  }
  const sql = `WITH ${ctes.join(',\n')}
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       ${groupBy === null ? 'NULL' : listedGroups(groupBy === 'tag')} AS groups`;
  return { sql, values };
}

/** Lists the pieces of a row's period. */
const unnestedPieces = ` CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last OFFSET 0) AS piece`;

/** Pieces up to this length are added up without a subquery, which takes longer than the addition. */
const maxInlineUnits = 4;

/** Builds the SQL that reads the rows of one table of sums for a window, and adds up their arrays. */
class Source {
  /** A row for each period of the window, with its pieces. */
  readonly cte: string;
  readonly #maxUnits: number;
  /** Whether no period has pieces of several parts. */
  readonly #isSimple: boolean;
  readonly #from: string;
  readonly #to: string;

  constructor(
    private readonly name: string,
    private readonly of: (typeof tables)[number],
    pieces: Piece[],
    parameter: (value: unknown) => string,
  ) {
    this.#maxUnits = Math.max(...pieces.map(({ first, last }) => last - first + 1));
    const periods = pieces.map(({ period }) => period).sort();
    // Constant bounds spare the planner other partitions.
    [this.#from, this.#to] = [parameter(periods[0]), parameter(periods.at(-1))];
    this.#isSimple = new Set(periods).size === periods.length;
    const perPeriod = this.#isSimple
      ? 'part, first, last'
      : 'array_agg(part) AS parts, array_agg(first) AS firsts, array_agg(last) AS lasts';
    this.cte = `${name} AS MATERIALIZED (
  SELECT ${of.period}, ${perPeriod}
  FROM unnest(${parameter(pieces.map(({ period }) => period))}::date[],
              ${parameter(pieces.map(({ part }) => part))}::integer[],
              ${parameter(pieces.map(({ first }) => first))}::integer[],
              ${parameter(pieces.map(({ last }) => last))}::integer[]) AS piece (${of.period}, part, first, last)
  ${this.#isSimple ? '' : `GROUP BY ${of.period}`}
)`;
  }

  /**
   * Builds a FROM list of rows and their pieces. OFFSET 0 makes the planner look up the rows of one period at a time. Its
   * estimates are unreliable, and another order could read all values of every period.
   */
  rows(condition: string, after = ''): string {
    const { table, period } = this.of;
    return `${after}${this.name} AS period CROSS JOIN LATERAL (
        SELECT * FROM ${table} AS kept WHERE project_id = $1 AND scope_id = $2 AND kept.${period} = period.${period} AND kept.${period} BETWEEN ${this.#from}::date AND ${this.#to}::date
          AND ${condition} OFFSET 0
      ) AS counted${this.#isSimple ? '' : unnestedPieces}`;
  }

  /** Builds the sums over the units of a row from `first` to `last`. */
  sums(requested: RequestedSums): string {
    return sums(
      requested,
      (column) =>
        `CASE WHEN counted.${column} IS NULL THEN 0 ${this.#total(column)} ${this.#ofPiece(`counted.${column}`)} END`,
    );
  }

  /** Reads the total, which is the sum of the piece if the row has no other units. It is null in old rows. */
  #total(column: Column): string {
    if (!this.of.hasTotals || this.#maxUnits <= maxInlineUnits) return '';
    return `WHEN counted.total_${column} IS NOT NULL AND array_lower(counted.${column}, 1) >= first
                  AND array_upper(counted.${column}, 1) <= last THEN counted.total_${column}`;
  }

  #ofPiece(column: string): string {
    if (this.#maxUnits <= maxInlineUnits) {
      const units = Array.from({ length: this.#maxUnits }, (_, after) =>
        after === 0
          ? `coalesce(${column}[first], 0)`
          : `CASE WHEN first + ${after} <= last THEN coalesce(${column}[first + ${after}], 0) ELSE 0 END`,
      );
      return `ELSE ${units.join(' + ')}`;
    }
    // `unnest` after `FROM` would first store its result.
    return `WHEN first = last THEN coalesce(${column}[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(${column}[first:last]) AS of_unit) AS units
    )`;
  }
}

/**
 * Builds the sums of clicks that are not rolled up yet. A row of `clicks` belongs to one quarter of an hour, and so to one part of
 * the window. If the opened link does not matter, clicks are summed by visitor before the joins.
 *
 * The planner cannot estimate these rows. OFFSET 0 makes it read batch by batch from the index. A full join is never a nested
 * loop, which would compare each click of a batch with each of its visitors. `times > 0` removes the rows that match no click.
 */
function fresh(ofLink: boolean, grouping: Grouping, starts: string): string {
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

const ofFresh = (requested: RequestedSums): string => sums(requested, (column) => column);

const sums = (requested: RequestedSums, read: (column: Column) => string): string =>
  Object.entries(requested)
    .map(([name, columns]) => `${columns.map(read).join(' + ')} AS ${name}`)
    .join(', ');

const summed = (requested: RequestedSums): string =>
  Object.keys(requested)
    .map((name) => `sum(${name}) AS ${name}`)
    .join(', ');

const inDimension = (dimension: Grouping) => `dimension = '${dimension}'`;

/**
 * Selects rows for the sums of clicks without a value. Links have no such rows: the sums are those of all clicks minus those of
 * each value. A click has a source if it has a short link, and there are fewer sources.
 */
const rest = (dimension: Grouping) =>
  `dimension IN ('${total}', '${dimension === 'short_link' ? 'source' : dimension}')`;
const restOf = (requested: RequestedSums): string =>
  Object.keys(requested)
    .map((name) => `CASE dimension WHEN '${total}' THEN ${name} ELSE -${name} END AS ${name}`)
    .join(', ');

const parts = (from: Source[], requested: RequestedSums): string => `parts AS (
  SELECT part, ${summed(requested)} FROM (
    ${[
      ...from.map((source) => `SELECT part, ${source.sums(requested)} FROM ${source.rows(inDimension(total))}`),
      `SELECT part, ${ofFresh(requested)} FROM fresh`,
    ].join('\n    UNION ALL ')}
  ) AS piece GROUP BY part
)`;

/** Builds the groups with the most clicks. */
const groups = (
  from: Source[],
  ofLink: boolean,
  dimension: Grouping,
  requested: RequestedSums,
): string => `top AS MATERIALIZED (
  SELECT value, clicks, qr_scans, count(*) OVER () AS groups
  FROM (
    SELECT value, ${summed(requested)} FROM (
      ${[
        ...from.map(
          (source) => `SELECT counted.value, ${source.sums(requested)} FROM ${source.rows(inDimension(dimension))}`,
        ),
        ...(ofLink && dimension !== total ? from : []).map(
          (source) => `SELECT '', ${restOf(requested)} FROM (
        SELECT dimension, ${source.sums(requested)} FROM ${source.rows(rest(dimension))}
      ) AS piece`,
        ),
        `SELECT value, ${ofFresh(requested)} FROM fresh`,
      ].join('\n      UNION ALL ')}
    ) AS piece GROUP BY value
  ) AS summed
  WHERE clicks > 0 AND value <> '${otherReferrer}' ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

/**
 * Builds the series of the few top groups with one look-up per row, because a day has rows of many other groups. The pieces of a
 * part are listed one by one, because adding them up here would take longer.
 */
const groupParts = (
  from: Source[],
  ofLink: boolean,
  dimension: Grouping,
  requested: RequestedSums,
): string => `top_parts AS (
  SELECT value, array_agg(part) AS parts, array_agg(clicks) AS clicks
  FROM (
    ${[
      ...from.map(
        (source) => `SELECT top.value, part, ${source.sums(requested)}
      FROM ${source.rows(`${inDimension(dimension)} AND kept.value = top.value`, 'top CROSS JOIN ')}`,
      ),
      ...(ofLink && dimension !== total ? from : []).map(
        (source) => `SELECT '', part, ${restOf(requested)} FROM (
        SELECT dimension, part, ${source.sums(requested)}
        FROM ${source.rows(`${rest(dimension)} AND '' IN (SELECT value FROM top)`)}
      ) AS piece`,
      ),
      `SELECT value, part, ${ofFresh(requested)} FROM fresh WHERE value IN (SELECT value FROM top)`,
    ].join('\n    UNION ALL ')}
  ) AS piece WHERE clicks <> 0 GROUP BY value
)`;

/** Builds the sums of each link, whose tags are the groups. */
const ofLinks = (from: Source[], requested: RequestedSums): string => `of_links AS MATERIALIZED (
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
const linkTags = `link_tags AS MATERIALIZED (
  SELECT DISTINCT of_links.value AS link, coalesce(tag.id::text, '') AS value
  FROM of_links LEFT JOIN LATERAL (
    SELECT tag.id
    FROM dynamic_links AS link CROSS JOIN LATERAL unnest(link.tag_ids) AS given (id) JOIN tags AS own ON own.id = given.id
      JOIN tags AS tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
    WHERE link.project_id = $1 AND link.id = nullif(of_links.value, '')::uuid AND link.deleted_at IS NULL
  ) AS tag ON true
)`;

/** Builds the tags with the most clicks. Their sums overlap, because a link may have several tags. */
const tagGroups = `top AS MATERIALIZED (
  SELECT *, count(*) OVER () AS groups, sum(clicks) OVER () AS all_clicks, sum(qr_scans) OVER () AS all_qr_scans
  FROM (
    SELECT link_tags.value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans
    FROM of_links JOIN link_tags ON link_tags.link = of_links.value GROUP BY link_tags.value
  ) AS summed
  WHERE clicks > 0 ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

const tagParts = (from: Source[], requested: RequestedSums): string => `top_parts AS (
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

const listedGroups = (overlap: boolean): string => `(SELECT json_agg(json_build_object(
    'value', value, 'clicks', top.clicks, 'qrScans', qr_scans, 'groups', groups, 'parts', parts, 'partClicks', top_parts.clicks
    ${overlap ? ", 'allClicks', all_clicks, 'allQrScans', all_qr_scans" : ''}
  ) ORDER BY top.clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value))`;
