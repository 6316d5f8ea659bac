import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { reportTooExpensive } from '../../platform/tables/too-expensive';
import { countedStatistics, type StatisticsAnswer } from './counted-statistics';
import type { CountedStatistics, StatisticsCriteria } from './statistics';
import { StatisticsRepository } from './statistics.repository';
import { isRestricting, isUtm } from './statistics-filter';
import { filteredStatisticsSql } from './pg-filtered-sql';
import { statisticsSql } from './pg-statistics-sql';

export class PgStatisticsRepository extends StatisticsRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  count(question: StatisticsCriteria): Promise<CountedStatistics> {
    return countedStatistics(question, async (asked) => {
      const { sql, values } = statementOf(asked);
      const [answer] = await reportTooExpensive(this.context, () => this.context.read<StatisticsAnswer>(sql, values));
      return answer!;
    });
  }
}

function statementOf(asked: StatisticsCriteria): { sql: string; values: unknown[] } {
  const { filter, groupBy, linkId } = asked;
  if (!isRestricting(filter) && !isUtm(groupBy)) return statisticsSql({ ...asked, groupBy });
  return filteredStatisticsSql({ ...asked, filter: linkId === undefined ? filter : { ...filter, links: [linkId] } });
}
