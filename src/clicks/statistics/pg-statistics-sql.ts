import { otherName } from '../recording/distinct-names';
import { fresh, ofFresh } from './pg-fresh-sql';
import { type Dimension, inDimension, type RequestedSums, Source, summed, tables, total } from './pg-sums-sql';
import { linkTags, ofLinks, tagGroups, tagParts } from './pg-tags-sql';
import { type Grouping, maxGroups, type StatisticsCriteria } from './statistics';
import type { UtmParameter } from './statistics-filter';
import { piecesOf, type StatisticsWindow } from './statistics-window';

/** Groups by parameters of links are made of filtered statistics. */
type UnfilteredCriteria = Omit<StatisticsCriteria, 'filter' | 'groupBy'> & {
  groupBy: Exclude<Grouping, UtmParameter> | null;
};

/** Builds one statement, so that all sums are from one snapshot. `test/contracts/sql/statistics-postgres.sql` has examples. */
export function statisticsSql(question: UnfilteredCriteria): { sql: string; values: unknown[] } {
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

/**
 * Selects rows for the sums of clicks without a value. Links have no such rows: the sums are those of all clicks minus those of
 * each value. A click has a source if it has a short link, and there are fewer sources.
 */
const rest = (dimension: Dimension) =>
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
  dimension: Dimension,
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
  WHERE clicks > 0 AND value <> '${otherName}' ORDER BY clicks DESC, value COLLATE "C" LIMIT ${maxGroups}
)`;

/**
 * Builds the series of the few top groups with one look-up per row, because a day has rows of many other groups. The pieces of a
 * part are listed one by one, because adding them up here would take longer.
 */
const groupParts = (
  from: Source[],
  ofLink: boolean,
  dimension: Dimension,
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

export const listedGroups = (overlap: boolean): string => `(SELECT json_agg(json_build_object(
    'value', value, 'clicks', top.clicks, 'qrScans', qr_scans, 'groups', groups, 'parts', parts, 'partClicks', top_parts.clicks
    ${overlap ? ", 'allClicks', all_clicks, 'allQrScans', all_qr_scans" : ''}
  ) ORDER BY top.clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value))`;
