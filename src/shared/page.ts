import { oneOf, type Rule, wholeNumber } from './rule';

export const pageNumber = wholeNumber({ minimum: 1, default: 1 });
export const pageLimit = wholeNumber({ minimum: 1, maximum: 100, default: 10 });
export const sortOrder: Rule<SortOrder> = oneOf(['asc', 'desc'], 'desc');

export type SortOrder = 'asc' | 'desc';

/** Which part of a list, and in which order. Ties are broken by `id`, so that pages partition the list. */
export interface PageRequest<SortKey extends string> {
  /** From 1. */
  page: number;
  /** Items a page, 1 to 100. */
  limit: number;
  search?: string;
  sortBy: SortKey;
  sortOrder: SortOrder;
}

export interface Page<T> {
  items: T[];
  /** Items in the whole list, on all pages. */
  total: number;
}

/** Rows before the page; null where the page lies past the end, so that no query with a huge offset is sent. */
export function offsetOf(request: { page: number; limit: number }, total: number): number | null {
  const offset = (request.page - 1) * request.limit;
  return offset < total ? offset : null;
}
