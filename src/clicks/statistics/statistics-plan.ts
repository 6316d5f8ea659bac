import type { Grouping, StatisticsCriteria } from './statistics';
import {
  type FilteredProperty,
  filteredProperties,
  type UtmParameter,
  utmParameters,
  visitorProperties,
} from './statistics-filter';

/** The groupings that have sums in both stores, and the combinations of `visitorProperties`. */
export type Dimension = Exclude<Grouping, 'tag' | UtmParameter> | 'visitor';

/** In this grouping each click has a value, so that its sums are those of all clicks. */
export const total = 'platform';

export interface SummedPlan {
  /** Whether the sums of the project are read, or those of each link. */
  scope: 'project' | 'links';
  dimension: Dimension;
  /** Whether clicks without a value count, for which links have no sums. */
  hasRest: boolean;
}

const isFiltered = (name: string): name is FilteredProperty => (filteredProperties as readonly string[]).includes(name);

const groupingsByLink: readonly Grouping[] = ['tag', ...utmParameters];

/** Returns whether groups are made of links, by what these have now. */
export const groupsLinks = (groupBy: Grouping | null): boolean => groupBy !== null && groupingsByLink.includes(groupBy);

/** Returns null if no sums have the combination of properties, so that single clicks are counted. */
export function summedPlanOf({ filter, groupBy }: Pick<StatisticsCriteria, 'filter' | 'groupBy'>): SummedPlan | null {
  const ofLinks = filter.links !== null || groupBy === 'link' || groupsLinks(groupBy);
  const properties = new Set(Object.keys(filter.values).filter(isFiltered));
  if (groupBy !== null && isFiltered(groupBy)) properties.add(groupBy);
  const [only] = properties;
  if (only === undefined) return { scope: 'project', dimension: ofLinks ? 'link' : total, hasRest: false };
  const scope = ofLinks ? 'links' : 'project';
  if (properties.size === 1) {
    const hasRest = ofLinks && only !== total && (filter.values[only]?.includes('') ?? true);
    return { scope, dimension: only, hasRest };
  }
  const isSummed = [...properties].every((name) => (visitorProperties as readonly string[]).includes(name));
  return isSummed ? { scope, dimension: 'visitor', hasRest: false } : null;
}
