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
import type { PgLinkValueRepository } from './pg-link-value.repository';
import { isUtm, type UtmParameter } from './statistics-filter';
import { countedStatistics, type PartSums, type StatisticsAnswer } from './counted-statistics';
import type { CountedStatistics, StatisticsCriteria } from './statistics';
import { type StatisticsRepository } from './statistics.repository';

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

/** Returns what groups links (`PgLinkValueRepository`). */
type FindValues = (links: string) => Promise<string>;

export class ClickHouseStatisticsRepository implements StatisticsRepository {
  constructor(
    private readonly clickHouse: ClickHouse,
    private readonly linkValues: PgLinkValueRepository,
  ) {}

  async count(question: StatisticsCriteria): Promise<CountedStatistics> {
    return countedStatistics(question, await this.#read(question));
  }

  async #read({ groupBy, ...asked }: StatisticsCriteria): Promise<StatisticsAnswer> {
    if (groupBy === 'tag') return this.#readTags(asked, (links) => this.linkValues.tagsOf(asked.projectId, links));
    if (isUtm(groupBy)) return this.#readParameters(asked, groupBy);
    const { sql, parameters } = clickHouseStatisticsSql({ ...asked, groupBy });
    return answerOf(asked, await this.#row(inParts(sql), parameters));
  }

  /**
   * Sends the tags of all links with clicks to ClickHouse, which sums them. The process passes on texts of some thousand links each, so
   * that neither its memory nor its event loop depends on their number.
   */
  async #readTags(question: Question, find: FindValues): Promise<StatisticsAnswer> {
    const clicked = clickedLinksSql(question, maxLinks + 1);
    const rows = await this.clickHouse.rows<{ links: string }>(inParts(clicked.sql), clicked.parameters);
    const links = rows.reduce((sum, row) => sum + countIds(row.links), 0);
    if (links > maxLinks)
      throw new DatabaseUnavailable(new Error(`${links} links are too many to read their tags or parameters`));
    return answerOf(question, await this.#row(this.#taggedStatement(question, rows, find), parametersOf(question)));
  }

  /** Reads the values of a parameter as tags, by digests that are as long as ids. */
  async #readParameters(question: Question, name: UtmParameter): Promise<StatisticsAnswer> {
    const { projectId } = question;
    const answer = await this.#readTags(question, (links) => this.linkValues.digestsOf(projectId, links, name));
    const digests = answer.groups!.map(({ value }) => value);
    const values = await this.linkValues.valuesOf(projectId, name, digests);
    const groups = answer.groups!.map((group) => ({ ...group, value: values.get(group.value) ?? '' }));
    // Groups with as many clicks come in the order of their values, and not of the digests.
    groups.sort((one, other) => other.clicks - one.clicks || (one.value < other.value ? -1 : 1));
    return { ...answer, groups };
  }

  async *#taggedStatement(question: Question, rows: { links: string }[], find: FindValues): AsyncGenerator<string> {
    const { begin, end } = clickHouseTagsSql(question);
    yield 'WITH';
    yield begin;
    for (const { links } of rows) yield `${await find(links)},`;
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
