import { otherName } from '../recording/distinct-names';
import { FilteredClicks } from './pg-filtered-clicks-sql';
import { inDimension, type RequestedSums, Source, summed, tables, total } from './pg-sums-sql';
import { listedGroups } from './pg-statistics-sql';
import { linkTags, tagGroups } from './pg-tags-sql';
import { maxGroups, type StatisticsCriteria } from './statistics';
import { countedColumns } from './statistics-filter';
import { groupsLinks, type SummedPlan, summedPlanOf } from './statistics-plan';
import { piecesOf, type StatisticsWindow } from './statistics-window';

/**
 * Builds one statement for clicks that fulfil several conditions, so that all sums are from one snapshot. It reads sums if these have the
 * combination of properties, and single clicks otherwise. The series needs no groups, and only the top groups have one each.
 */
export function filteredStatisticsSql(question: StatisticsCriteria): { sql: string; values: unknown[] } {
  const { projectId, window, groupBy, filter, includeBots } = question;
  const values: unknown[] = [projectId, window.from / 1000, window.to / 1000];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const requested: RequestedSums = countedColumns(filter, includeBots);
  const starts = parameter(window.starts.map((start) => start / 1000));
  const clicks = new FilteredClicks(filter, groupBy, starts, requested, parameter);
  const plan = summedPlanOf(question);
  const ofSeries = plan && summedPlanOf({ filter, groupBy: null });
  const sources = (prefix: string, from: Pick<StatisticsWindow, 'to' | 'starts'>): Source[] => {
    const pieces = piecesOf(from);
    return tables
      .filter(({ of }) => plan !== null && pieces[of].length > 0)
      .map((table) => new Source(`${prefix}${table.of}`, table, pieces[table.of], parameter));
  };
  const ofParts = sources('', window);
  const needsLinks = plan?.scope === 'links' && filter.links === null;
  const ofWhole = groupBy === null ? [] : sources('all_', { to: window.to, starts: [window.from] });
  const ctes = [
    ...[...ofParts, ...ofWhole].map((source) => source.cte),
    ...(needsLinks ? [linksOf(ofWhole)] : []),
    `unsummed AS MATERIALIZED (
  ${plan === null ? clicks.all : clicks.fresh}
)`,
    ...(plan?.scope === 'links' ? [`waiting AS MATERIALIZED (\n  ${clicks.waiting}\n)`] : []),
    summedBy('parts', 'part', requested, [
      ...ofParts.flatMap((source) => piecesOfSource(source, ofSeries!, clicks, requested, 'none')),
      ...unsummed(ofSeries, requested),
    ]),
  ];
  if (groupBy !== null) {
    const { clicks: people, qr_scans: scans } = requested;
    const both = { clicks: people!, qr_scans: scans! };
    const whole = [
      ...ofWhole.flatMap((source) => piecesOfSource(source, plan!, clicks, both, 'all')),
      ...unsummed(plan, both),
    ];
    const partsOf = (groups: 'all' | 'top') => [
      ...ofParts.flatMap((source) => piecesOfSource(source, plan!, clicks, { clicks: people! }, groups)),
      ...unsummed(plan, { clicks: people! }),
    ];
    ctes.push(
      ...(groupsLinks(groupBy)
        ? [
            summedBy('of_links', 'value', both, whole),
            groupBy === 'tag' ? linkTags : linkParameters(parameter(groupBy)),
            tagGroups,
            partsOfTags(partsOf('all')),
          ]
        : [summedBy('whole', 'value', both, whole), topGroups, partsOfGroups(partsOf('top'))]),
    );
  }
  const sql = `WITH ${ctes.join(',\n')}
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       ${groupBy === null ? 'NULL' : listedGroups(groupsLinks(groupBy))} AS groups`;
  return { sql, values };
}

const summedBy = (
  name: string,
  by: string,
  requested: RequestedSums,
  pieces: string[],
): string => `${name} AS MATERIALIZED (
  SELECT ${by}, ${summed(requested)} FROM (
    ${pieces.join('\n    UNION ALL ')}
  ) AS piece GROUP BY ${by}
)`;

/** Selects clicks that are not in the sums of the plan. */
const unsummed = (plan: SummedPlan | null, requested: RequestedSums): string[] =>
  ['unsummed', ...(plan?.scope === 'links' ? ['waiting'] : [])].map(
    (name) => `SELECT value, part, ${Object.keys(requested).join(', ')} FROM ${name}`,
  );

const ofProject = 'scope_id = $1';

/** Lists the links that have clicks in the months of the window. */
const linksOf = (sources: Source[]): string => `clicked AS MATERIALIZED (
  SELECT array_agg(DISTINCT value::uuid) AS ids FROM (
    ${sources.map((source) => `SELECT value FROM ${source.rows(inDimension('link'), '', ofProject)}`).join('\n    UNION ALL ')}
  ) AS link
)`;

/** Selects the sums of a table. Links have no rows for clicks without a value: these are all clicks minus those of each value. */
function piecesOfSource(
  source: Source,
  { scope, dimension, hasRest }: SummedPlan,
  clicks: FilteredClicks,
  requested: RequestedSums,
  groups: 'none' | 'all' | 'top',
): string[] {
  const scopeSql =
    scope === 'project' ? ofProject : `scope_id = ANY (${clicks.links ?? '(SELECT ids FROM clicked)::uuid[]'})`;
  const rows = (condition: string) => source.rows(condition, '', scopeSql);
  const isOfTop = groups === 'top' ? ` AND ${clicks.valueOfSum(dimension, 'kept')} IN (SELECT value FROM top)` : '';
  const condition = `${inDimension(dimension)} AND ${clicks.conditionOfSum(dimension)}${isOfTop}`;
  const direct = `SELECT ${groups === 'none' ? `''` : clicks.valueOfSum(dimension)} AS value, part, ${source.sums(requested)} FROM ${rows(condition)}`;
  if (!hasRest) return [direct];
  const of = dimension === 'short_link' ? 'source' : dimension;
  const signed = Object.keys(requested).map(
    (name) => `CASE dimension WHEN '${total}' THEN ${name} ELSE -${name} END AS ${name}`,
  );
  const rest = `SELECT ${groups === 'none' ? `''` : clicks.valueOfRest} AS value, part, ${signed.join(', ')} FROM (
      SELECT scope_id, dimension, part, ${source.sums(requested)} FROM ${rows(`dimension IN ('${total}', '${of}')`)}
    ) AS counted`;
  return [direct, rest];
}

const topGroups = `top AS MATERIALIZED (
  SELECT value, clicks, qr_scans, count(*) OVER () AS groups FROM whole
  WHERE clicks > 0 AND value <> '${otherName}' ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

const partsOfGroups = (pieces: string[]): string => `top_parts AS (
  SELECT value, array_agg(part) AS parts, array_agg(clicks) AS clicks FROM (
    ${pieces.join('\n    UNION ALL ')}
  ) AS piece WHERE clicks <> 0 AND value IN (SELECT value FROM top) GROUP BY value
)`;

const partsOfTags = (pieces: string[]): string => `top_parts AS (
  SELECT top.value, array_agg(part) AS parts, array_agg(piece.clicks) AS clicks FROM (
    SELECT value, part, sum(clicks) AS clicks FROM (
      ${pieces.join('\n      UNION ALL ')}
    ) AS piece GROUP BY value, part
  ) AS piece JOIN link_tags ON link_tags.link = piece.value JOIN top ON top.value = link_tags.value
  WHERE piece.clicks <> 0 GROUP BY top.value
)`;

/** Selects the value that each link has for a parameter, and an empty one if it has none or is deleted. */
const linkParameters = (name: string): string => `link_tags AS MATERIALIZED (
  SELECT of_links.value AS link, coalesce((
    SELECT pair ->> 1 FROM dynamic_links AS link CROSS JOIN LATERAL jsonb_array_elements(link.referrer_params) AS pair
    WHERE link.project_id = $1 AND link.id = nullif(of_links.value, '')::uuid AND link.deleted_at IS NULL AND pair ->> 0 = ${name} LIMIT 1
  ), '') AS value
  FROM of_links
)`;
