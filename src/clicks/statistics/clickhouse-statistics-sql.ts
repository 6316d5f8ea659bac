import { quarterHourMs } from '../recording/click';
import { maxFullDaysPerMonth, maxReferrersPerDay, otherName } from '../recording/distinct-names';
import { days, monthStart, segmentsOf, type Unit } from './clickhouse-periods-sql';
import { type linkGroupings, maxGroups, type StatisticsCriteria } from './statistics';
import { countedColumns, type FilteredProperty, type SignedColumn, visitorProperties } from './statistics-filter';
import { type Dimension, summedPlanOf } from './statistics-plan';

/** Groupings by a column; PostgreSQL has the tags and parameters of links. */
export type ColumnGrouping = (typeof linkGroupings)[number];

const columnOf: Record<ColumnGrouping, string> = {
  platform: 'platform',
  browser: 'browser',
  referrer: 'referrer',
  country: 'country',
  link: 'dynamic_link_id',
  short_link: 'short_link_id',
  source: 'source',
};

/** The rows of a project or a link, and the expression of their values in a grouping. */
interface Source {
  from: string;
  value: string;
  compared: string;
  /** Null if single hosts are not limited, because a filter leaves few clicks. */
  maxReferrersPerDay: number | null;
}

export type Question = Omit<StatisticsCriteria, 'groupBy'>;

export interface ClickHouseStatement {
  sql: string;
  parameters: Record<string, string | string[]>;
}

/**
 * Builds one statement whose reads see the same sums, so that series and groups agree while clicks are written. Its row has the series
 * and, with a grouping, the groups with the most clicks. Parts are named by `partNames`.
 */
export const clickHouseStatisticsSql = (
  question: Question & { groupBy: ColumnGrouping | null },
): ClickHouseStatement => ({ sql: sqlOfGroups(question, question.groupBy), parameters: parametersOf(question) });

export const parametersOf = ({ projectId, linkId, filter }: Question): ClickHouseStatement['parameters'] => ({
  project: projectId,
  ...(linkId !== undefined && { link: linkId }),
  ...Object.fromEntries(Object.entries(filter.values).map(([name, values]) => [`accepted_${name}`, [...values]])),
});

/** Returns the names of the window's parts in the answer, in their order: the quarters of an hour from its start to theirs. */
export const partNames = ({ starts }: Question['window']): number[] =>
  starts.map((start) => (start - starts[0]!) / quarterHourMs);

const sqlOfGroups = (question: Question, groupBy: ColumnGrouping | null): string =>
  `SELECT ${series}${groupBy === null ? '' : `, countIf(${isListed}) AS groups, ${listedGroupsSql}`}
FROM (
  ${sumsByName(question, groupBy)}
)`;

const series = `sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots`;

export const seriesOf = (question: Question): string => sqlOfGroups(question, null);

/** Returns the question about the whole window, whose sums take less to read than those of its parts. */
export function asOnePart(question: Question): Question {
  const { from, to } = question.window;
  return { ...question, window: { from, to, starts: [from] } };
}

export const isListed = `name_clicks > 0 AND name != '${otherName}'`;

export const listedGroupsSql = `groupArraySortedIf(${maxGroups})((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), ${isListed}) AS listed`;

/**
 * Selects a row of each name, with its parts and their sums.
 * @param only `names` is a subquery that selects names of a project; all names without it
 * @param only `nameOf` returns the expression of the name of a value; the value itself without it
 */
export function sumsByName(
  question: Question,
  groupBy: ColumnGrouping | null,
  { names, nameOf = (value) => value }: { names?: string; nameOf?: (value: string) => string } = {},
): string {
  const { linkId, window, includeBots, filter } = question;
  const plan = linkId === undefined ? summedPlanOf({ filter, groupBy }) : null;
  const source =
    plan?.scope === 'project' ? sumsOfProject(plan.dimension, filter, groupBy) : sumsOfLinks(question, groupBy);
  const sums = countedColumns(filter, includeBots);
  const counts = segmentsOf(window).map(
    ({
      unit,
      from,
      to,
    }) => `SELECT ${groupBy === 'referrer' && source.maxReferrersPerDay !== null ? namedReferrer(source, source.maxReferrersPerDay, unit, window) : nameOf(source.value)} AS group_value,
    ${partOf(unit, window)} AS part,
    ${sumOf(sums.clicks)} AS part_clicks,
    ${sumOf(sums.qr_scans)} AS part_qr_scans, ${sumOf(sums.bots)} AS part_bots
  FROM ${source.from} AND ${unit.within(from, to)}${names === undefined ? '' : ` AND ${source.compared} IN ${names}`}
  GROUP BY group_value, part`,
  );
  return `SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  ${counts.length === 1 ? counts[0] : sumOfAll(counts)}
  )
  GROUP BY group_value`;
}

const sumOf = (columns: readonly SignedColumn[]): string =>
  columns.length === 0
    ? 'toInt64(0)'
    : columns
        .map((column) => (column.startsWith('-') ? `- sum(${column.slice(1)})` : `+ sum(${column})`))
        .join(' ')
        .replace(/^\+ /, '');

/** Adds the counts of several segments, because a part may have some of each. */
const sumOfAll = (counts: string[]): string => `SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  ${counts.join('\n  UNION ALL\n  ')}
  ) AS counts
  GROUP BY group_value, part`;

/** Builds the name of the part that a period belongs to. Small numbers are grouped and sent faster than times. */
function partOf(unit: Unit, { starts }: Question['window']): string {
  const seconds = starts.map((start) => start / 1000);
  return `toUInt16(intDiv(roundDown(${unit.start}, [${seconds.join(', ')}]) - ${seconds[0]}, ${quarterHourMs / 1000}))`;
}

/** Selects the sums of a project, which have one property, or the combination of a visitor's. */
function sumsOfProject(
  dimension: Dimension,
  { values, links }: Question['filter'],
  groupBy: ColumnGrouping | null,
): Source {
  const valueOf = (name: string) => {
    const place = (visitorProperties as readonly string[]).indexOf(name);
    return dimension === 'visitor' ? `splitByChar('|', toString(value))[${place + 1}]` : 'value';
  };
  const conditions = [
    ...(links === null ? [] : [isAmong('value', links)]),
    ...Object.keys(values).map((name) => `${valueOf(name)} ${isAccepted(name)}`),
  ];
  return {
    from: `project_clicks_by_quarter WHERE ${['project_id = {project:UUID}', `dimension = '${dimension}'`, ...conditions].join(' AND ')}`,
    value: groupBy === null ? `''` : valueOf(groupBy),
    compared: 'value',
    maxReferrersPerDay: conditions.length === 0 ? maxReferrersPerDay.project : null,
  };
}

const isAccepted = (property: string): string => `IN {accepted_${property}:Array(String)}`;

/**
 * Selects the sums of links, which have all properties, so that conditions combine. Columns are compared and grouped as they are
 * stored, because the text of each row takes longer than its sum.
 */
function sumsOfLinks({ linkId, filter }: Question, groupBy: ColumnGrouping | null): Source {
  const properties = Object.keys(filter.values) as FilteredProperty[];
  const conditions = [
    'project_id = {project:UUID}',
    ...(linkId === undefined ? [] : ['dynamic_link_id = {link:UUID}']),
    ...(filter.links === null ? [] : [isAmong('dynamic_link_id', filter.links)]),
    ...properties.map((name) => `${columnOf[name]} ${isAccepted(name)}`),
  ];
  const value = groupBy === null ? `''` : columnOf[groupBy];
  return {
    from: `link_clicks_by_quarter WHERE ${conditions.join(' AND ')}`,
    value,
    compared: value,
    maxReferrersPerDay: properties.length === 0 && linkId !== undefined ? maxReferrersPerDay.link : null,
  };
}

/** Writes ids, which are UUIDs, into the statement, because parameters are sent in the URL. */
const isAmong = (column: string, links: readonly string[]): string =>
  links.length === 0 ? 'false' : `${column} IN (${links.map((id) => `'${id}'`).join(', ')})`;

/**
 * Builds the name that a referring host counts for: its own, or `otherName` beyond the limits of its day or month (UTC). Of a
 * day, hosts that the month has already go first, then those with the most clicks. The order is that of `add_click_sums`.
 */
function namedReferrer(
  { from, value }: Source,
  maxPerDay: number,
  unit: Unit,
  window: { from: number; to: number },
): string {
  const months = days.within(monthStart(window.from, 0), monthStart(window.to - 1, 1));
  const byDay = `SELECT ${days.day} AS day, ${value} AS host, sum(clicks) + sum(bots) AS host_clicks
    FROM ${from} AND ${months} AND ${value} NOT IN ('', '${otherName}')
    GROUP BY day, host`;
  const placed = `SELECT month, day, host,
      row_number() OVER (PARTITION BY day ORDER BY day = first_day, host_clicks DESC, host) AS place
    FROM (
      SELECT toStartOfMonth(day) AS month, day, host, host_clicks, min(day) OVER (PARTITION BY toStartOfMonth(day), host) AS first_day
      FROM (
        ${byDay}
      )
    )`;
  const limited = `SELECT day, host, place, dense_rank() OVER (PARTITION BY month ORDER BY admission) AS place_in_month
    FROM (
      SELECT month, day, host, place,
        min(if(place <= ${maxPerDay}, toUInt64(toUInt32(day)) * 1000000000 + place, 18446744073709551615))
          OVER (PARTITION BY month, host) AS admission
      FROM (
        ${placed}
      )
    )`;
  return `if((${unit.day}, ${value}) IN (
    SELECT day, host FROM (
      ${limited}
    ) WHERE place > ${maxPerDay} OR place_in_month > ${maxFullDaysPerMonth * maxPerDay}
  ), '${otherName}', ${value})`;
}
