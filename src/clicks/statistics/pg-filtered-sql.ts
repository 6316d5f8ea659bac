import { otherReferrer } from '../recording/distinct-referrers';
import { FilteredClicks } from './pg-filtered-clicks-sql';
import { inDimension, type RequestedSums, Source, summed, tables, total } from './pg-sums-sql';
import { linkTags } from './pg-tags-sql';
import { type Grouping, maxGroups, type StatisticsCriteria } from './statistics';
import { countedColumns } from './statistics-filter';
import { groupsLinks, type SummedPlan, summedPlanOf } from './statistics-plan';
import { piecesOf } from './statistics-window';

/**
 * Builds one statement for clicks that fulfil several conditions, so that all sums are from one snapshot. It reads sums if these have the
 * combination of properties, and single clicks otherwise. Every group is counted by part, because conditions leave few of them.
 */
export function filteredStatisticsSql(question: StatisticsCriteria): { sql: string; values: unknown[] } {
  const { projectId, window, groupBy, filter, includeBots } = question;
  const values: unknown[] = [projectId, window.from / 1000, window.to / 1000];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const requested: RequestedSums = countedColumns(filter, includeBots);
  const starts = parameter(window.starts.map((start) => start / 1000));
  const clicks = new FilteredClicks(filter, groupBy, starts, requested, parameter);
  const plan = summedPlanOf(question);
  const ctes: string[] = [];
  const pieces: string[] = [];
  if (plan === null) pieces.push(clicks.all);
  else {
    const unitsOf = piecesOf(window);
    const sources = tables
      .filter(({ of }) => unitsOf[of].length > 0)
      .map((table) => new Source(table.of, table, unitsOf[table.of], parameter));
    ctes.push(...sources.map((source) => source.cte));
    if (plan.scope === 'links' && filter.links === null) ctes.push(linksOf(sources));
    pieces.push(...sources.flatMap((source) => piecesOfSource(source, plan, clicks, requested)));
    if (plan.scope === 'links') pieces.push(clicks.waiting);
    pieces.push(clicks.fresh);
  }
  ctes.push(
    `counted AS MATERIALIZED (
  SELECT value, part, ${summed(requested)} FROM (
    ${pieces.join('\n    UNION ALL ')}
  ) AS piece GROUP BY value, part
)`,
  );
  if (groupBy !== null) ctes.push(...groupsOf(groupBy, parameter));
  const sql = `WITH ${ctes.join(',\n')}
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM (SELECT part, ${summed(requested)} FROM counted GROUP BY part) AS parts) AS parts,
       ${groupBy === null ? 'NULL' : listedGroups(groupsLinks(groupBy))} AS groups`;
  return { sql, values };
}

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
): string[] {
  const scopeSql =
    scope === 'project' ? ofProject : `scope_id = ANY (${clicks.links ?? '(SELECT ids FROM clicked)::uuid[]'})`;
  const rows = (condition: string) => source.rows(condition, '', scopeSql);
  const direct = `SELECT ${clicks.valueOfSum(dimension)} AS value, part, ${source.sums(requested)} FROM ${rows(`${inDimension(dimension)} AND ${clicks.conditionOfSum(dimension)}`)}`;
  if (!hasRest) return [direct];
  const of = dimension === 'short_link' ? 'source' : dimension;
  const signed = Object.keys(requested).map(
    (name) => `CASE dimension WHEN '${total}' THEN ${name} ELSE -${name} END AS ${name}`,
  );
  const rest = `SELECT ${clicks.valueOfRest} AS value, part, ${signed.join(', ')} FROM (
      SELECT scope_id, dimension, part, ${source.sums(requested)} FROM ${rows(`dimension IN ('${total}', '${of}')`)}
    ) AS counted`;
  return [direct, rest];
}

/** Builds the groups with the most clicks. Those of tags overlap, because a link may have several. */
function groupsOf(groupBy: Grouping, parameter: (value: unknown) => string): string[] {
  const values = groupsLinks(groupBy)
    ? [
        'of_links AS MATERIALIZED (SELECT DISTINCT value FROM counted)',
        groupBy === 'tag' ? linkTags : linkParameters(parameter(groupBy)),
        `grouped AS MATERIALIZED (
  SELECT link_tags.value, part, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans
  FROM counted JOIN link_tags ON link_tags.link = counted.value GROUP BY link_tags.value, part
)`,
      ]
    : ['grouped AS (SELECT value, part, clicks, qr_scans FROM counted)'];
  return [
    ...values,
    `top AS MATERIALIZED (
  SELECT value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans, array_agg(part) AS parts, array_agg(clicks) AS part_clicks,
         count(*) OVER () AS groups, sum(sum(clicks)) OVER () AS all_clicks, sum(sum(qr_scans)) OVER () AS all_qr_scans
  FROM grouped WHERE value <> '${otherReferrer}' GROUP BY value HAVING sum(clicks) > 0
  ORDER BY 2 DESC, value COLLATE "C" LIMIT ${maxGroups}
)`,
  ];
}

/** Selects the value that each link has for a parameter, and an empty one if it has none or is deleted. */
const linkParameters = (name: string): string => `link_tags AS MATERIALIZED (
  SELECT of_links.value AS link, coalesce((
    SELECT pair ->> 1 FROM dynamic_links AS link CROSS JOIN LATERAL jsonb_array_elements(link.referrer_params) AS pair
    WHERE link.project_id = $1 AND link.id = nullif(of_links.value, '')::uuid AND link.deleted_at IS NULL AND pair ->> 0 = ${name} LIMIT 1
  ), '') AS value
  FROM of_links
)`;

const listedGroups = (overlap: boolean): string => `(SELECT json_agg(json_build_object(
    'value', value, 'clicks', clicks, 'qrScans', qr_scans, 'groups', groups, 'parts', parts, 'partClicks', part_clicks
    ${overlap ? ", 'allClicks', all_clicks, 'allQrScans', all_qr_scans" : ''}
  ) ORDER BY clicks DESC, value COLLATE "C") FROM top)`;
