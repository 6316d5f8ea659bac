import { type StatisticsFilter, utmParameters } from './statistics-filter';
import type { StatisticsWindow } from './statistics-window';

export const linkGroupings = ['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source'] as const;
/** A link has its tags and its parameters for all of its clicks, so only projects are grouped by them. */
export const groupings = [...linkGroupings, 'tag', ...utmParameters] as const;
export type Grouping = (typeof groupings)[number];

export const appGroupings = ['platform', 'version', 'country', 'link'] as const;
export type AppGrouping = (typeof appGroupings)[number];

/** Visits, opens of apps by links, and claims of deferred links. */
export const metrics = ['clicks', 'opens', 'claims'] as const;
export type Metric = (typeof metrics)[number];
export type AppMetric = Exclude<Metric, 'clicks'>;

/** The groups with the most clicks are listed; all others are summed. */
export const maxGroups = 100;

export interface StatisticsCriteria {
  projectId: string;
  linkId?: string;
  window: StatisticsWindow;
  groupBy: Grouping | null;
  filter: StatisticsFilter;
  includeBots: boolean;
}

export interface Sums {
  clicks: number;
  qrScans: number;
}

/** Names a link or tag for people. Null if the group is neither, or if the link is deleted. */
export interface GroupName {
  name: string | null;
  path: string | null;
}

export interface CountedGroup extends Sums {
  /** A word, a host, or an id; null for clicks without a value. */
  value: string | null;
  series: number[];
}

export interface Group extends CountedGroup, GroupName {}

export interface CountedStatistics {
  /** `bots` counts the clicks of robots, even if they do not count as clicks. */
  totals: Sums & { bots: number };
  series: Sums[];
  /** Sorted by clicks in descending order; null without grouping. */
  groups: CountedGroup[] | null;
  /** The sum of the groups that are not listed; null without grouping. */
  other: (Sums & { groups: number }) | null;
}

export interface Statistics extends CountedStatistics {
  groups: Group[] | null;
}
