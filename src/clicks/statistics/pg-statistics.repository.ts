import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { reportTooExpensive } from '../../platform/tables/too-expensive';
import { countedStatistics, type StatisticsAnswer } from './counted-statistics';
import type { CountedStatistics, StatisticsCriteria } from './statistics';
import { type StatisticsRepository } from './statistics.repository';
import { statisticsSql } from './pg-statistics-sql';

export class PgStatisticsRepository implements StatisticsRepository {
  constructor(private readonly context: TransactionContext) {}

  async count(question: StatisticsCriteria): Promise<CountedStatistics> {
    const { sql, values } = statisticsSql(question);
    const [answer] = await reportTooExpensive(this.context, () => this.context.read<StatisticsAnswer>(sql, values));
    return countedStatistics(question, answer!);
  }
}
