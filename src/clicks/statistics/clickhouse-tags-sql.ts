import {
  asOnePart,
  isListed,
  listedGroupsSql,
  parametersOf,
  type Question,
  seriesOf,
  type ClickHouseStatement,
  sumsByName,
} from './clickhouse-statistics-sql';
import { noFilter } from './statistics-filter';

/** Bounds the rows of the answer, and the statements of PostgreSQL that read the tags of a row's links. */
const linksPerRow = 5000;

const idLength = 36;

/**
 * Lists the ids of the links that have clicks in the window, whatever their visitors are: these sums are the shortest. A row has several
 * ids, separated by commas.
 */
export function clickedLinksSql(asked: Question, maxLinks: number): ClickHouseStatement {
  const question = { ...asked, filter: { ...noFilter, links: asked.filter.links } };
  const sql = `SELECT arrayStringConcat(groupArray(name), ',') AS links
FROM (
  SELECT name, rowNumberInAllBlocks() AS number FROM (
  ${sumsByName(asOnePart(question), 'link')}
  ) WHERE ${isListed} LIMIT ${maxLinks}
) GROUP BY intDiv(number, ${linksPerRow})`;
  return { sql, parameters: parametersOf(question) };
}

/**
 * Builds a statement whose row has the series, and the tags with the most clicks. The sums of tags overlap, because a link counts in
 * each of its tags. The tags of links (`PgLinkValueRepository`) belong between `begin` and `end`.
 *
 * ClickHouse replaces each link by its tags before it sums, because links are many and sets of tags are few. A constant array is what
 * `transform` wants. A join would sum all links first.
 */
export function clickHouseTagsSql(question: Question): { begin: string; end: string } {
  const tagsOf = (value: string): string => `transform(toString(${value}), tags_of_links.1, tags_of_links.2, '')`;
  return {
    begin: `(
  SELECT (groupArray(substring(tagged, 1, ${idLength})), groupArray(substring(tagged, ${idLength + 1})))
  FROM (SELECT arrayJoin(splitByChar(',', '`,
    end: `')) AS tagged)
) AS tags_of_links, counted AS (
  SELECT tag AS name, sum(set_clicks) AS name_clicks, sum(set_qr_scans) AS name_qr_scans,
    sumMap(set_parts, clicks_of_set) AS by_part, by_part.1 AS parts, by_part.2 AS clicks_of_parts
  FROM (
    SELECT arrayJoin(arrayMap(at -> substring(name, at + 1, ${idLength}), range(0, greatest(length(name), 1), ${idLength}))) AS tag,
      name_clicks AS set_clicks, name_qr_scans AS set_qr_scans, parts AS set_parts, clicks_of_parts AS clicks_of_set
    FROM (
    ${sumsByName(question, 'link', { nameOf: tagsOf })}
    )
  )
  GROUP BY tag
)
SELECT * FROM (
  ${seriesOf(question)}
) AS series, (
  SELECT countIf(${isListed}) AS groups, sum(name_clicks) AS all_clicks, sum(name_qr_scans) AS all_qr_scans, ${listedGroupsSql}
  FROM counted
) AS groups`,
  };
}
