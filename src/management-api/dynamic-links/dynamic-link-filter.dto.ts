import { ApiSchema, PickType } from '@nestjs/swagger';
import { nestedError, readNested } from '../kit/nested-body';
import { ForbiddenField } from '../../shared/problem';
import { ListDynamicLinksQuery } from './dynamic-links.dto';
import type { NamedFilters } from './tag-filter';

const names = ['search', 'ios_app_id', 'android_app_id', 'external_id', 'archived', 'tag', 'exclude_tag'] as const;

/** Describes the filters of the list, without order and page. */
@ApiSchema({
  name: 'DynamicLinkFilter',
  description: 'Filters of the list of links. Without any, they find all links that are not archived.',
})
export class DynamicLinkFilterDto extends PickType(ListDynamicLinksQuery, names) {}

/**
 * Reads filters in the field `filter` of a body by the rules of the list.
 * @throws ForbiddenField, InvalidInput
 */
export async function readFilters(sent: object): Promise<NamedFilters> {
  const unknown = Object.keys(sent).filter((name) => !(names as readonly string[]).includes(name));
  if (unknown.length > 0) throw nestedError('filter', new ForbiddenField(unknown));
  return toFilters(await readNested('filter', sent, ListDynamicLinksQuery));
}

/** Returns the filters by their names in this program. */
export const toFilters = (filters: DynamicLinkFilterDto): NamedFilters => ({
  search: filters.search,
  iosAppId: filters.ios_app_id,
  androidAppId: filters.android_app_id,
  externalId: filters.external_id,
  archived: filters.archived,
  tag: filters.tag,
  excludeTag: filters.exclude_tag,
});
