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
}

/** Returns the rows before the page, or null if the page is past the end. Thus no query has a huge offset. */
export function offsetOf(request: { page: number; limit: number }, total: number): number | null {
  const offset = (request.page - 1) * request.limit;
  return offset < total ? offset : null;
}
