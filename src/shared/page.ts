import { oneOf, type Rule, queryInteger } from './rule';

export const pageNumber = queryInteger({ minimum: 1, default: 1 });
export const pageLimit = queryInteger({ minimum: 1, maximum: 100, default: 10 });
export const sortOrder: Rule<SortOrder> = oneOf(['asc', 'desc'], 'desc');

export type SortOrder = 'asc' | 'desc';

/** A part of a list. Ties are ordered by `id`, so that pages partition the list. */
export interface PageRequest<SortKey extends string> {
  page: number;
  limit: number;
  search?: string;
  sortBy: SortKey;
  sortOrder: SortOrder;
}

export interface Page<T> {
  items: T[];
  total: number;
  /** Whether items follow the page, if `total` is a lower bound; absent if it is exact. */
  hasMore?: boolean;
}

export const offsetOf = ({ page, limit }: { page: number; limit: number }): number => (page - 1) * limit;
