import { pageLimit, pageNumber, type SortOrder, sortOrder } from '../../shared/page';
import { IsQueryChoice } from './field.decorators';
import { ruleDecorator } from './rule.decorator';

const IsPageNumber = ruleDecorator(pageNumber);
const IsPageLimit = ruleDecorator(pageLimit);
const IsSortOrder = ruleDecorator(sortOrder);

/** Declares the parameters of every list. */
export class PageQuery {
  @IsPageNumber({ description: 'Page, from 1. A page past the end is empty.' })
  page: number;

  @IsPageLimit({ description: 'Items a page.' })
  limit: number;
}

/** Declares the parameters of every sortable list, except `sortBy`, whose values differ. */
export class ListQuery extends PageQuery {
  @IsSortOrder({ description: 'Ties are broken by `id` in the same direction.' })
  sortOrder: SortOrder;
}

export const IsSortKey = (keys: readonly string[]) =>
  IsQueryChoice(keys, { default: 'created_at', description: 'Text is sorted by Unicode code point.' });
