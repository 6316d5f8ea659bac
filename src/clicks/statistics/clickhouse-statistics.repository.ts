import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { DatabaseUnavailable } from '../../platform/postgres/database-error';
import {
  type ClickHouseStatement,
  clickHouseStatisticsSql,
  parametersOf,
  partNames,
  type Question,
} from './clickhouse-statistics-sql';
import { clickedLinksSql, clickHouseTagsSql } from './clickhouse-tags-sql';
import type { PgLinkParameterRepository } from './pg-link-parameter.repository';
import type { PgLinkTagRepository } from './pg-link-tag.repository';
import { isUtm, type UtmParameter } from './statistics-filter';
import { countedStatistics, type PartSums, type StatisticsAnswer } from './counted-statistics';
import type { CountedStatistics, StatisticsCriteria } from './statistics';
import { StatisticsRepository } from './statistics.repository';

/** The names of parts (`partNames`), and the sum of each. */
type SumsByPart = [names: number[], sums: number[]];

interface Row {
  clicks: SumsByPart;
  qr_scans: SumsByPart;
  bots: SumsByPart;
  /** Absent without grouping, as are `listed`. */
  groups?: number;
  /** Clicks are negative, because they sort the groups. */
  listed?: [clicks: number, value: string, qrScans: number, parts: number[], partClicks: number[]][];
  /** Only with tags, whose sums overlap. */
  all_clicks?: number;
  all_qr_scans?: number;
}

/**
 * Bounds memory: the ids of so many links are 18 MB. The tags of more links take longer than a request may.
 *
 * Measured: PostgreSQL reads the two tags of each of 5,000 links in 23 ms.
 */
const maxLinks = 500_000;

/** Finds what groups links. */
type ValuesOfLinks = Pick<PgLinkTagRepository, 'find'>;

export class ClickHouseStatisticsRepository extends StatisticsRepository {
  constructor(
    private readonly clickHouse: ClickHouse,
    private readonly linkTags: ValuesOfLinks,
    private readonly linkParameters: Pick<PgLinkParameterRepository, 'of'>,
  ) {
    super();
  }

  async count(question: StatisticsCriteria): Promise<CountedStatistics> {
    return countedStatistics(question, await this.#read(question));
  }

  async #read({ groupBy, ...asked }: StatisticsCriteria): Promise<StatisticsAnswer> {
    if (groupBy === 'tag') return answerOf(asked, await this.#readTags(asked, this.linkTags));
    if (isUtm(groupBy)) return this.#readParameters(asked, groupBy);
    const { sql, parameters } = clickHouseStatisticsSql({ ...asked, groupBy });
    return answerOf(asked, await this.#row(inParts(sql), parameters));
  }

  /**
   * Sends the tags of all links with clicks to ClickHouse, which sums them. The process passes on texts of some thousand links each, so
   * that neither its memory nor its event loop depends on their number.
   */
  async #readTags(question: Question, ofLinks: ValuesOfLinks): Promise<Row> {
    const clicked = clickedLinksSql(question, maxLinks + 1);
    const rows = await this.clickHouse.rows<{ links: string }>(inParts(clicked.sql), clicked.parameters);
    const links = rows.reduce((sum, row) => sum + countIds(row.links), 0);
    if (links > maxLinks)
      throw new DatabaseUnavailable(new Error(`${links} links are too many to read their tags or parameters`));
    return this.#row(this.#taggedStatement(question, rows, ofLinks), parametersOf(question));
  }

  /** Reads the values of a parameter as tags, by digests that are as long as ids. */
  async #readParameters(question: Question, name: UtmParameter): Promise<StatisticsAnswer> {
    const ofLinks = this.linkParameters.of(name);
    const answer = answerOf(question, await this.#readTags(question, ofLinks));
    const values = await ofLinks.valuesOf(
      question.projectId,
      answer.groups!.map(({ value }) => value),
    );
    return { ...answer, groups: answer.groups!.map((group) => ({ ...group, value: values.get(group.value) ?? '' })) };
  }

  async *#taggedStatement(
    question: Question,
    rows: { links: string }[],
    ofLinks: ValuesOfLinks,
  ): AsyncGenerator<string> {
    const { begin, end } = clickHouseTagsSql(question);
    yield 'WITH';
    yield begin;
    for (const { links } of rows) yield `${await ofLinks.find(question.projectId, links)},`;
    yield end;
  }

  async #row(sql: AsyncGenerator<string>, parameters: ClickHouseStatement['parameters']): Promise<Row> {
    const [row] = await this.clickHouse.rows<Row>(sql, parameters);
    return row!;
  }
}

/** Sends a statement in its body, because it can have the ids of many links. Its first word is in the URL. */
async function* inParts(sql: string): AsyncGenerator<string> {
  const end = /\s/.exec(sql)!.index;
  yield sql.slice(0, end);
  yield sql.slice(end);
}

/** Counts ids that are separated by commas. */
const countIds = (ids: string): number => Math.ceil(ids.length / 37);

function answerOf({ window }: Question, row: Row): StatisticsAnswer {
  const numbers = new Map(partNames(window).map((name, at) => [name, at + 1]));
  const numberOf = (name: number) => numbers.get(name)!;
  const { clicks, qr_scans, bots, groups, listed, all_clicks, all_qr_scans } = row;
  const sums = [clicks, qr_scans, bots].map(([names, sums]) => new Map(names.map((name, at) => [name, sums[at]!])));
  return {
    parts: [...numbers].map(([name, number]): PartSums => {
      const [ofClicks = 0, ofScans = 0, ofBots = 0] = sums.map((of) => of.get(name));
      return [number, ofClicks, ofScans, ofBots];
    }),
    groups:
      listed?.map(([clicks, value, qrScans, parts, partClicks]) => ({
        value,
        clicks: -clicks,
        qrScans,
        groups: groups!,
        parts: parts.map(numberOf),
        partClicks,
        ...(all_clicks !== undefined && { allClicks: all_clicks, allQrScans: all_qr_scans }),
      })) ?? null,
  };
}
