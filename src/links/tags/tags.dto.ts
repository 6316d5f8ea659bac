import { ApiSchema } from '@nestjs/swagger';
import { answer, countAnswer, idAnswer, projectIdAnswer, timeAnswers } from '../../api-kit/kit/answer';
import { IsResourceId, IsSearchText } from '../../api-kit/kit/field.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { type Tag, type TagSortKey, tagName, tagNames } from './tag';
import { ruleDecorator } from '../../api-kit/kit/rule.decorator';

export const IsTagName = ruleDecorator(tagName);
export const IsTagNames = ruleDecorator(tagNames);

const described = {
  name: { description: 'Name of the tag, unique in the project without regard to letter case.', example: 'Newsletter' },
};

export class CreateTagBody {
  @IsTagName(described.name)
  name: string;
}

export class UpdateTagBody {
  @IsTagName({ ...described.name, optional: true })
  name?: string;
}

export class MergeTagBody {
  @IsResourceId({
    description: 'Id of the tag of the same project that links get in place of this one.',
    example: '0198c0de-7e57-7000-8000-000000000007',
  })
  into: string;
}

export class ListTagsQuery extends ListQuery {
  @IsSearchText({ description: 'Case-insensitive substring of the name.', example: 'news' })
  search?: string;

  @IsSortKey(['name', 'created_at', 'updated_at'])
  sortBy: TagSortKey;
}

class TagCount extends answer({
  dynamic_links: countAnswer('Number of dynamic links that have the tag, archived ones included.', 12),
}) {}

@ApiSchema({ name: 'Tag' })
export class TagDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000006'),
  project_id: projectIdAnswer,
  name: { minLength: tagName.schema.minLength, maxLength: tagName.schema.maxLength, ...described.name },
  _count: { type: TagCount },
  ...timeAnswers,
}) {
  static of(this: void, tag: Tag): TagDto {
    return TagDto.render(tag, { _count: { dynamic_links: tag.links } });
  }
}

export class TagResponse extends dataOf(TagDto) {}
export class TagPage extends pageOf(TagDto) {}
