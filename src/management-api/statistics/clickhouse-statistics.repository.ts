import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { clickHouseStatisticsSql, partNames } from './clickhouse-statistics-sql';
import { groupsByTag } from './tag-groups';
import type { LinkTagRepository } from './link-tag.repository';
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
}

/** Links with clicks in the period, beyond which those with the fewest clicks are left out of tags. */
const maxLinks = 1_000_000;

export class ClickHouseStatisticsRepository extends StatisticsRepository {
  constructor(
    private readonly clickHouse: ClickHouse,
    private readonly linkTags: LinkTagRepository,
  ) {
    super();
  }

  count(question: StatisticsCriteria): Promise<CountedStatistics> {
    return countedStatistics(question, ({ groupBy, ...asked }) =>
      groupBy === 'tag' ? this.#readTags(asked) : this.#read({ ...asked, groupBy }),
    );
  }

  /** Reads the sums of all links, because PostgreSQL has their tags. */
  async #readTags(question: Omit<StatisticsCriteria, 'groupBy'>): Promise<StatisticsAnswer> {
    const { parts, groups } = await this.#read({ ...question, groupBy: 'link' }, maxLinks);
    const links = groups ?? [];
    const ids = links.map(({ value }) => value);
    return { parts, groups: groupsByTag(links, await this.linkTags.find(question.projectId, ids)) };
  }

  async #read(...asked: Parameters<typeof clickHouseStatisticsSql>): Promise<StatisticsAnswer> {
    const [question] = asked;
    const { sql, parameters } = clickHouseStatisticsSql(...asked);
    const [row] = await this.clickHouse.rows<Row>(sql, parameters);
    const numbers = new Map(partNames(question.window).map((name, at) => [name, at + 1]));
    const numberOf = (name: number) => numbers.get(name)!;
    const { clicks, qr_scans, bots, groups, listed } = row!;
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
        })) ?? null,
    };
  }
}
