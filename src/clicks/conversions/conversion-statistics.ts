import type { GroupName } from '../statistics/statistics';
import type { StatisticsWindow } from '../statistics/statistics-window';

/** `trusted` groups by the kind of key that sent the conversions. */
export const conversionGroupings = ['event', 'link', 'short_link', 'tag', 'platform', 'variant', 'trusted'] as const;
export type ConversionGrouping = (typeof conversionGroupings)[number];

export interface ConversionCriteria {
  projectId: string;
  window: StatisticsWindow;
  /** Ids of the accepted links; null for all. */
  links: readonly string[] | null;
  events: readonly string[] | null;
  groupBy: ConversionGrouping | null;
  includeUntrusted: boolean;
}

/** The sum of a currency, an exact decimal. */
export interface Money {
  currency: string;
  value: string;
}

export interface ConversionSums {
  conversions: number;
  refunds: number;
  /** By currency, refunds subtracted. */
  values: Money[];
}

export interface CountedConversionGroup extends ConversionSums {
  value: string | null;
}

export interface CountedConversions {
  totals: ConversionSums & { untrusted: number };
  series: ConversionSums[];
  /** Sorted by conversions in descending order; null without grouping. */
  groups: CountedConversionGroup[] | null;
  /** The number of groups that are not listed. */
  otherGroups: number;
}

export interface ConversionGroup extends CountedConversionGroup, GroupName {
  /** Clicks of the links of the group; null if they are not counted by this property. */
  clicks: number | null;
  /** Opens of a variant; null for other properties. */
  opens: number | null;
}
