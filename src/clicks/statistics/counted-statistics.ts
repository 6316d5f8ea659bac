import type { CountedStatistics, StatisticsCriteria, Sums } from './statistics';

/** The sums of a part of the window. Parts are numbered from 1. */
export type PartSums = [number: number, clicks: number, qrScans: number, bots: number];

export interface ListedGroup extends Sums {
  /** Empty for clicks without a value. */
  value: string;
  /** The number of groups, those that are not listed included. */
  groups: number;
  /** Numbers of parts, in any order and with repetitions, and the clicks of each. */
  parts: number[];
  partClicks: number[];
  /** The sums of all groups, if they overlap. Otherwise they are those of all clicks. */
  allClicks?: number;
  allQrScans?: number;
}

/** The sums that an adapter reads in one statement. Null stands for no rows. */
export interface StatisticsAnswer {
  parts: PartSums[] | null;
  groups: ListedGroup[] | null;
}

/** Composes statistics of an answer, and fills what has no clicks with zeros. */
export function countedStatistics(
  { window, groupBy }: { window: StatisticsCriteria['window']; groupBy: string | null },
  answer: StatisticsAnswer,
): CountedStatistics {
  const numbers = window.starts.map((_, at) => at + 1);
  const parts = new Map((answer.parts ?? []).map((part) => [part[0], part]));
  const series = numbers.map((number) => {
    const [, clicks, qrScans] = parts.get(number) ?? [number, 0, 0];
    return { clicks, qrScans };
  });
  const totals = { ...summed(series), bots: sum([...parts.values()].map((part) => part[3])) };
  if (groupBy === null) return { totals, series, groups: null, other: null };
  const listed = answer.groups ?? [];
  const groups = listed.map(({ value, clicks, qrScans, parts, partClicks }) => {
    const series = numbers.map(() => 0);
    for (const [at, part] of parts.entries()) series[part - 1]! += partClicks[at]!;
    return { value: value === '' ? null : value, clicks, qrScans, series };
  });
  const inGroups = summed(groups);
  const other = {
    groups: (listed[0]?.groups ?? 0) - listed.length,
    clicks: (listed[0]?.allClicks ?? totals.clicks) - inGroups.clicks,
    qrScans: (listed[0]?.allQrScans ?? totals.qrScans) - inGroups.qrScans,
  };
  return { totals, series, groups, other };
}

const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);

const summed = (sums: Sums[]): Sums => ({
  clicks: sum(sums.map(({ clicks }) => clicks)),
  qrScans: sum(sums.map(({ qrScans }) => qrScans)),
});
