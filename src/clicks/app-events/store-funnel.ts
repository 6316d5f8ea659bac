import type { StatisticsWindow } from '../statistics/statistics-window';
import type { GroupName } from '../statistics/statistics';
import { launchOutcomes, storeSteps } from './app-event';

/** The way through a store, in its order, and the outcomes of first launches. */
export const funnelEvents = [...storeSteps, 'first_open', ...launchOutcomes] as const;
type FunnelEvent = (typeof funnelEvents)[number];

export const funnelGroupings = ['platform', 'browser', 'version', 'link'] as const;
export type FunnelGrouping = (typeof funnelGroupings)[number];

export type FunnelCounts = Record<FunnelEvent, number>;

export interface FunnelCriteria {
  projectId: string;
  window: StatisticsWindow;
  groupBy: FunnelGrouping | null;
  /** Ids of the accepted links; null for all. */
  links: readonly string[] | null;
  platforms: readonly string[] | undefined;
  /** An empty text accepts browsers that are in no app. */
  browsers: readonly string[] | undefined;
}

export interface CountedFunnelGroup extends FunnelCounts {
  /** Null for events without a value. */
  value: string | null;
}

export interface CountedFunnel {
  totals: FunnelCounts;
  series: FunnelCounts[];
  /** Those with the most events first; null without grouping. */
  groups: CountedFunnelGroup[] | null;
  otherGroups: number;
}

export interface StoreFunnel extends CountedFunnel {
  groups: (CountedFunnelGroup & GroupName)[] | null;
}

export const noEvents = (): FunnelCounts => Object.fromEntries(funnelEvents.map((event) => [event, 0])) as FunnelCounts;

const outcomesOf = (counts: FunnelCounts): number => launchOutcomes.reduce((sum, outcome) => sum + counts[outcome], 0);

/**
 * Replaces first opens where the question asks for links or browsers, because these are known with the outcome only. The group without a
 * value has the launches without an outcome.
 */
export function withFirstOpens(funnel: CountedFunnel, { groupBy, links, browsers }: FunnelCriteria): CountedFunnel {
  const known = (counts: FunnelCounts): FunnelCounts => ({ ...counts, first_open: outcomesOf(counts) });
  const isFiltered = links !== null || browsers !== undefined;
  const isGrouped = groupBy === 'link' || groupBy === 'browser';
  const { totals, series, groups } = funnel;
  const unfinished = isFiltered ? 0 : Math.max(0, totals.first_open - outcomesOf(totals));
  const ofGroup = (group: CountedFunnelGroup): CountedFunnelGroup => {
    const first_open = outcomesOf(group) + (group.value === null ? unfinished : 0);
    return isFiltered || isGrouped ? { ...group, first_open } : group;
  };
  return {
    ...funnel,
    totals: isFiltered ? known(totals) : totals,
    series: isFiltered ? series.map(known) : series,
    groups: groups?.map(ofGroup) ?? null,
  };
}
