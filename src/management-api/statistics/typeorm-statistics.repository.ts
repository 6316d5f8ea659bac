import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Statistics, StatisticsCriteria } from './statistics';
import { StatisticsRepository } from './statistics.repository';
import { statisticsSql } from './statistics-sql';

/** The sums of a part of the window. Parts are numbered from 1. */
type Part = [number: number, clicks: number, qrScans: number, bots: number];

interface ListedGroup {
  value: string;
  clicks: number;
  qrScans: number;
  /** The number of groups, those that are not listed included. */
  groups: number;
  /** Numbers of parts, in any order and with repetitions, and the clicks of each. */
  parts: number[];
  partClicks: number[];
}

interface Answer {
  parts: Part[] | null;
  groups: ListedGroup[] | null;
}

@Injectable()
export class TypeormStatisticsRepository extends StatisticsRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async count(question: StatisticsCriteria): Promise<Statistics> {
    const { linkId, groupBy, window } = question;
    // Grouped by link, the statistics of one link have that link as their only group.
    const itself = groupBy === 'link' && linkId !== undefined;
    const { sql, values } = statisticsSql(itself ? { ...question, groupBy: null } : question);
    const [answer] = await this.context.read<Answer>(sql, values);
    const numbers = window.starts.map((_, at) => at + 1);
    const parts = new Map((answer!.parts ?? []).map((part) => [part[0], part]));
    const series = numbers.map((number) => {
      const [, clicks, qrScans] = parts.get(number) ?? [number, 0, 0];
      return { clicks, qrScans };
    });
    const totals = { ...summed(series), bots: sum([...parts.values()].map((part) => part[3])) };
    if (groupBy === null) return { totals, series, groups: null, other: null };
    if (itself) {
      const { clicks, qrScans } = totals;
      const group = { value: linkId, clicks, qrScans, series: series.map((part) => part.clicks) };
      return { totals, series, groups: clicks > 0 ? [group] : [], other: { groups: 0, clicks: 0, qrScans: 0 } };
    }
    const listed = answer!.groups ?? [];
    const groups = listed.map(({ value, clicks, qrScans, parts, partClicks }) => {
      const series = numbers.map(() => 0);
      for (const [at, part] of parts.entries()) series[part - 1]! += partClicks[at]!;
      return { value: value === '' ? null : value, clicks, qrScans, series };
    });
    const inGroups = summed(groups);
    const other = {
      groups: (listed[0]?.groups ?? 0) - listed.length,
      clicks: totals.clicks - inGroups.clicks,
      qrScans: totals.qrScans - inGroups.qrScans,
    };
    return { totals, series, groups, other };
  }
}

const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);

const summed = (sums: { clicks: number; qrScans: number }[]) => ({
  clicks: sum(sums.map(({ clicks }) => clicks)),
  qrScans: sum(sums.map(({ qrScans }) => qrScans)),
});
