import { ApiProperty, ApiSchema, PickType } from '@nestjs/swagger';
import { answer, countAnswer, nullableIdAnswer } from '../../api-kit/kit/answer';
import { errorAnswer } from '../../api-kit/kit/error-answer';
import { IsQueryChoice, IsResourceId } from '../../api-kit/kit/field.decorators';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { ErrorDetail } from '../../api-kit/openapi/error-response';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { IsTagNames } from '../tags/tags.dto';
import { uuid } from '../../shared/id';
import { isObject } from '../../shared/is-object';
import { inField, isRequired, type Problem, ForbiddenField } from '../../shared/problem';
import { jsonInteger, listOf, type Rule } from '../../shared/rule';
import {
  type BulkAction,
  type BulkActionName,
  type BulkActionResult,
  bulkActions,
  maxExpectedLinks,
  maxFilteredLinks,
} from './bulk-action';
import { maxBulkOperations } from './bulk-operation';
import { nestedError } from '../../api-kit/kit/nested-body';
import { objectOf } from '../../api-kit/kit/strict-validation.pipe';
import { columnFilters } from '../dynamic-links/dynamic-link.repository';
import { ListDynamicLinksQuery } from '../dynamic-links/dynamic-links-query.dto';

const names = ['search', ...columnFilters, 'archived', 'tag', 'exclude_tag'] as const;

/** Describes the filters of the list, without order and page. */
@ApiSchema({
  name: 'DynamicLinkFilter',
  description: 'Filters of the list of links. Without any, they find all links that are not archived.',
})
class DynamicLinkFilterDto extends PickType(ListDynamicLinksQuery, names) {}

/** Reads filters in a body by the rules of the list. */
const filterObject: Rule<DynamicLinkFilterDto> = objectOf(DynamicLinkFilterDto);

const IsFilters = ruleDecorator(filterObject);
const IsLinkIds = ruleDecorator(listOf(uuid, { minItems: 1, maxItems: maxBulkOperations }));
const IsLinkCount = ruleDecorator(jsonInteger({ minimum: 0, maximum: maxExpectedLinks }));

const exampleFilter = {
  search: 'summer',
  ios_app_id: '0198c0de-7e57-7000-8000-0000000000b1',
  android_app_id: '0198c0de-7e57-7000-8000-0000000000b2',
  external_id: 'crm-4711',
  template: 'Newsletter',
  archived: 'any',
  tag: 'Newsletter',
  exclude_tag: 'Draft',
};

const takesTags = (action: BulkActionName) => action === 'add_tags' || action === 'remove_tags';

export class BulkByFilterBody {
  @ApiProperty({ type: DynamicLinkFilterDto })
  @IsFilters({ description: 'Filters of the list of links.', example: exampleFilter })
  filter: DynamicLinkFilterDto;

  @IsLinkIds(
    optionally('Only these of the links that the filter finds. An id that appears twice counts once.', [
      '0198c0de-7e57-7000-8000-000000000003',
    ]),
  )
  ids?: string[];

  @IsQueryChoice(bulkActions, { description: 'Change of each link.', example: 'add_tags' })
  action: BulkActionName;

  @IsTagNames(optionally('Names of tags, for `add_tags` and `remove_tags` only.', ['Summer']))
  tags?: string[];

  @IsLinkCount({
    description: 'Number of links that filter and `ids` find, as confirmation. With another number nothing is changed.',
    example: 12,
  })
  expected_count: number;

  @IsResourceId(
    optionally(
      '`next_after` of the request before, if links remained. Then only links after it count.',
      '0198c0de-7e57-7000-8000-000000000002',
    ),
  )
  after?: string;

  /** @throws ForbiddenField if the field `filter` has unknown filters */
  static requireKnownFields({ filter }: { filter?: unknown }): void {
    const unknown = isObject(filter)
      ? Object.keys(filter).filter((name) => !names.some((known) => known === name))
      : [];
    if (unknown.length > 0) throw nestedError('filter', new ForbiddenField(unknown));
  }

  /** Checks that the action has tags if it needs them. */
  static problemsAcrossFields({ action, tags }: BulkByFilterBody): Problem[] {
    const refuse = (code: Problem['code'], message: string) => inField('tags', [{ code, path: [], message }]);
    if (!takesTags(action)) return tags === undefined ? [] : refuse('invalid_format', `must be absent for ${action}`);
    if (tags === undefined) return inField('tags', [isRequired]);
    return tags.length > 0 ? [] : refuse('too_small', 'must have at least 1 item');
  }

  static toAction({ action, tags }: BulkByFilterBody): BulkAction {
    return action === 'add_tags' || action === 'remove_tags' ? { name: action, tags: tags! } : { name: action };
  }
}

class BulkFailure extends answer({
  id: { format: 'uuid' },
  name: { description: 'Name of the link.' },
  error: { type: ErrorDetail, description: 'Error that an update of this link has.' },
}) {}

@ApiSchema({ name: 'BulkByFilterResult' })
export class BulkByFilterDto extends answer({
  matched: countAnswer('Links that the filter finds.', 12),
  changed: { type: 'integer', minimum: 0, maximum: maxFilteredLinks, example: 11 },
  unchanged: countAnswer('Links that had the state already.', 1),
  failed: { type: 'integer', minimum: 0, example: 0 },
  failures: { type: [BulkFailure], description: 'Links that stay as they are, because of an error.', example: [] },
  remaining: countAnswer('Links beyond those of this request.', 0),
  next_after: nullableIdAnswer(
    '`after` of the request for the remaining links, whose `expected_count` is `remaining`. Null if none remain.',
    null,
  ),
}) {
  static of(this: void, { failures, nextAfter, ...counts }: BulkActionResult): BulkByFilterDto {
    return {
      ...counts,
      failed: failures.length,
      failures: failures.map(({ error, ...link }) => ({ ...link, error: errorAnswer(error, 'POST').body.error })),
      next_after: nextAfter,
    };
  }
}

export class BulkByFilterResponse extends dataOf(BulkByFilterDto) {}
