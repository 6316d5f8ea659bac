import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { countedStatistics, type StatisticsAnswer } from './counted-statistics';
import type { CountedStatistics, StatisticsCriteria } from './statistics';
import { StatisticsRepository } from './statistics.repository';
import { statisticsSql } from './pg-statistics-sql';

export class PgStatisticsRepository extends StatisticsRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  count(question: StatisticsCriteria): Promise<CountedStatistics> {
    return countedStatistics(question, async (asked) => {
      const { sql, values } = statisticsSql(asked);
      const [answer] = await this.context.read<StatisticsAnswer>(sql, values);
      return answer!;
    });
  }
}
