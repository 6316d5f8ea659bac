import { pageLimit, pageNumber, type SortOrder, sortOrder } from '../../shared/page';
import { IsQueryChoice } from './field.decorators';
import { ruleDecorator } from './rule.decorator';

const IsPageNumber = ruleDecorator(pageNumber);
const IsPageLimit = ruleDecorator(pageLimit);
const IsSortOrder = ruleDecorator(sortOrder);

export class PageQuery {
  @IsPageNumber({ description: 'Page number, from 1. A page past the end is empty.' })
  page: number;

  @IsPageLimit({ description: 'Number of items per page.' })
  limit: number;
}

/** Declares the parameters of every sortable list, except `sortBy`, whose values differ. */
export class ListQuery extends PageQuery {
  @IsSortOrder({ description: 'Sort direction. Items with equal values are sorted by `id` in the same direction.' })
  sortOrder: SortOrder;
}

export const IsSortKey = (keys: readonly string[], remarks: readonly string[] = []) =>
  IsQueryChoice(keys, {
    default: 'created_at',
    description: ['Field to sort by. Text is sorted by Unicode code point.', ...remarks].join(' '),
  });
