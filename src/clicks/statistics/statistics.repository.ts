import type { CountedStatistics, StatisticsCriteria } from './statistics';

export abstract class StatisticsRepository {
  /** Counts clicks in one snapshot, so that parts and groups add up to the totals during concurrent clicks. */
  abstract count(question: StatisticsCriteria): Promise<CountedStatistics>;
}
