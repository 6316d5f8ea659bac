import { otherName } from '../recording/distinct-names';
import { SelectedClicks } from './pg-clicks-sql';
import { inDimension, type RequestedSums, type Source, sourcesOf, summed } from './pg-sums-sql';
import { isOfTop, linkParameters, linkTags, partsOfTags, tagGroups } from './pg-tags-sql';
import { maxGroups, type StatisticsCriteria } from './statistics';
import { countedColumns } from './statistics-filter';
import { groupsLinks, type SummedPlan, summedPlanOf, total } from './statistics-plan';

/**
 * Builds one statement, so that all sums are from one snapshot. It reads sums if these have the combination of properties, and single
 * clicks otherwise. The series needs no groups, and only the top groups have one each. `test/contracts/sql/statistics-postgres.sql` has
 * examples.
 */
export function statisticsSql({ linkId, ...question }: StatisticsCriteria): { sql: string; values: unknown[] } {
  const { projectId, window, groupBy, includeBots } = question;
  const filter = linkId === undefined ? question.filter : { ...question.filter, links: [linkId] };
  const values: unknown[] = [projectId, window.from / 1000, window.to / 1000];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const requested: RequestedSums = countedColumns(filter, includeBots);
  const starts = parameter(window.starts.map((start) => start / 1000));
  const clicks = new SelectedClicks(filter, groupBy, starts, requested, parameter);
  const plan = summedPlanOf({ filter, groupBy });
  const ofSeries = plan && summedPlanOf({ filter, groupBy: null });
  const ofParts = plan === null ? [] : sourcesOf(window, parameter);
  const needsLinks = plan?.scope === 'links' && filter.links === null;
  // The whole window as one part has fewer pieces.
  const whole = { to: window.to, starts: [window.from] };
  const ofWhole = plan === null || groupBy === null ? [] : sourcesOf(whole, parameter, 'all_');
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
    const ofGroups = [
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
            summedBy('of_links', 'value', both, ofGroups),
            groupBy === 'tag' ? linkTags : linkParameters(parameter(groupBy)),
            tagGroups,
            partsOfTags(partsOf('all')),
          ]
        : [summedBy('whole', 'value', both, ofGroups), topGroups, partsOfGroups(partsOf('top'))]),
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

/** Lists the links that have clicks in the months of the window. */
const linksOf = (sources: Source[]): string => `clicked AS MATERIALIZED (
  SELECT array_agg(DISTINCT value::uuid) AS ids FROM (
    ${sources.map((source) => `SELECT value FROM ${source.rows(inDimension('link'))}`).join('\n    UNION ALL ')}
  ) AS link
)`;

/** Selects the sums of a table. Links have no rows for clicks without a value: these are all clicks minus those of each value. */
function piecesOfSource(
  source: Source,
  { scope, dimension, hasRest }: SummedPlan,
  clicks: SelectedClicks,
  requested: RequestedSums,
  groups: 'none' | 'all' | 'top',
): string[] {
  const condition = `${inDimension(dimension)} AND ${clicks.conditionOfSum(dimension)}`;
  const value = groups === 'none' ? `''` : clicks.valueOfSum(dimension);
  const piece = (rows: string) => `SELECT ${value} AS value, part, ${source.sums(requested)} FROM ${rows}`;
  // One look-up per group and row, because a day of a project has rows of many other groups.
  if (groups === 'top' && scope === 'project' && dimension !== 'visitor')
    return [piece(source.rows(`${condition} AND kept.value = top.value`, 'top CROSS JOIN '))];
  // Only the top links have parts, if links are the groups.
  const all = clicks.links ?? '(SELECT ids FROM clicked)::uuid[]';
  const links = groups === 'top' && clicks.groupBy === 'link' ? 'ARRAY(SELECT value::uuid FROM top)' : all;
  const scopeSql = scope === 'project' ? undefined : `scope_id = ANY (${links})`;
  const ofTop = groups === 'top' ? ` AND ${isOfTop(clicks.valueOfSum(dimension, 'kept'))}` : '';
  const direct = piece(source.rows(`${condition}${ofTop}`, '', scopeSql));
  if (!hasRest) return [direct];
  const of = dimension === 'short_link' ? 'source' : dimension;
  const signed = Object.keys(requested).map(
    (name) => `CASE dimension WHEN '${total}' THEN ${name} ELSE -${name} END AS ${name}`,
  );
  const valueOfRest = groups === 'none' ? `''` : clicks.valueOfRest;
  // Nothing is read if all clicks have a value.
  const isNeeded = groups === 'top' && valueOfRest === `''` ? ` AND ${isOfTop(valueOfRest)}` : '';
  const rest = `SELECT ${valueOfRest} AS value, part, ${signed.join(', ')} FROM (
      SELECT scope_id, dimension, part, ${source.sums(requested)} FROM ${source.rows(`dimension IN ('${total}', '${of}')${isNeeded}`, '', scopeSql)}
    ) AS counted`;
  return [direct, rest];
}

const topGroups = `top AS MATERIALIZED (
  SELECT value, clicks, qr_scans, count(*) OVER () AS groups FROM whole
  WHERE clicks > 0 AND value <> '${otherName}' ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

const partsOfGroups = (pieces: string[]): string => `top_parts AS MATERIALIZED (
  SELECT value, array_agg(part) AS parts, array_agg(clicks) AS clicks FROM (
    ${pieces.join('\n    UNION ALL ')}
  ) AS piece WHERE clicks <> 0 AND ${isOfTop('value')} GROUP BY value
)`;

const listedGroups = (overlap: boolean): string => `(SELECT json_agg(json_build_object(
    'value', value, 'clicks', top.clicks, 'qrScans', qr_scans, 'groups', groups, 'parts', parts, 'partClicks', top_parts.clicks
    ${overlap ? ", 'allClicks', all_clicks, 'allQrScans', all_qr_scans" : ''}
  ) ORDER BY top.clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value))`;
