import type { Statistics, StatisticsQuestion } from './statistics';

export abstract class StatisticsRepository {
  /** All sums are of one moment: parts and groups add up to the totals, whatever is clicked meanwhile. */
  abstract count(question: StatisticsQuestion): Promise<Statistics>;
}
