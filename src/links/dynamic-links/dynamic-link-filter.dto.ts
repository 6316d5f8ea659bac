import { ApiSchema, PickType } from '@nestjs/swagger';
import { nestedError } from '../../api-kit/kit/nested-body';
import { objectOf } from '../../api-kit/kit/strict-validation.pipe';
import { ForbiddenField } from '../../shared/problem';
import type { Rule } from '../../shared/rule';
import { columnFilters } from './dynamic-link.repository';
import { ListDynamicLinksQuery } from './dynamic-links-query.dto';

const names = ['search', ...columnFilters, 'archived', 'tag', 'exclude_tag'] as const;

/** Describes the filters of the list, without order and page. */
@ApiSchema({
  name: 'DynamicLinkFilter',
  description: 'Filters of the list of links. Without any, they find all links that are not archived.',
})
export class DynamicLinkFilterDto extends PickType(ListDynamicLinksQuery, names) {}

/** Reads filters in a body by the rules of the list. */
export const filterObject: Rule<DynamicLinkFilterDto> = objectOf(DynamicLinkFilterDto);

/** @throws ForbiddenField if the field `filter` of a body has unknown filters */
export function requireKnownFilters(filter: unknown): void {
  if (typeof filter !== 'object' || filter === null) return;
  const unknown = Object.keys(filter).filter((name) => !(names as readonly string[]).includes(name));
  if (unknown.length > 0 && !Array.isArray(filter)) throw nestedError('filter', new ForbiddenField(unknown));
}
