import type { StatisticsWindow } from './statistics-window';

/** What clicks can be told apart by. */
export const groupings = ['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source'] as const;
export type Grouping = (typeof groupings)[number];

/** Groups that are told one by one, those with the most clicks; what is left comes as a sum. */
export const maxGroups = 100;

export interface StatisticsQuestion {
  projectId: string;
  /** One link of the project alone. */
  linkId?: string;
  window: StatisticsWindow;
  groupBy: Grouping | null;
  /** Count robots among the clicks. */
  includeBots: boolean;
}

export interface Sums {
  clicks: number;
  /** Clicks among those that came from a QR code. */
  qrScans: number;
}

export interface Group extends Sums {
  /** A word, a host, or an id; null for clicks that have none. */
  value: string | null;
  /** Clicks of each part of the window. */
  series: number[];
}

export interface Statistics {
  /** `bots`: clicks of robots, whether they are among the clicks or not. */
  totals: Sums & { bots: number };
  /** A sum for each part of the window. */
  series: Sums[];
  /** By clicks, the most first; null where nothing was grouped. */
  groups: Group[] | null;
  /** The groups that are not told one by one. */
  other: (Sums & { groups: number }) | null;
}
