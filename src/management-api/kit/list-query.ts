import { pageLimit, pageNumber, type SortOrder, sortOrder } from '../../shared/page';
import { Field } from './field';

/** Which page. Every list takes these. */
export class PageQuery {
  @Field(pageNumber, { description: 'Page, from 1. A page past the end is empty.', optional: true })
  page: number;

  @Field(pageLimit, { description: 'Items a page.', optional: true })
  limit: number;
}

/** Lists that can be sorted. Which columns, each list says itself. */
export class ListQuery extends PageQuery {
  @Field(sortOrder, { description: 'Ties are broken by `id` in the same direction.', optional: true })
  sortOrder: SortOrder;
}

export const sortParameter = {
  description: 'Text is sorted by Unicode code point.',
  optional: true,
} as const;
