import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsResourceId, IsSearchText } from '../../api-kit/kit/field.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import type { Tag, TagSortKey } from './tag';
import { tagName } from './tag';
import { IsTagName } from './tags.decorators';

const described = {
  name: {
    description: 'Name of the tag, unique in the project without regard to letter case.',
    example: 'Newsletter',
  },
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

@ApiSchema({ name: 'TagCount' })
class TagCountDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of dynamic links that have the tag, archived ones included.',
    example: 12,
  })
  dynamic_links: number;
}

@ApiSchema({ name: 'Tag' })
export class TagDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000006' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ minLength: tagName.schema.minLength, maxLength: tagName.schema.maxLength, ...described.name })
  name: string;

  @ApiProperty({ type: TagCountDto })
  _count: TagCountDto;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  static of(this: void, tag: Tag): TagDto {
    return {
      id: tag.id,
      project_id: tag.projectId,
      name: tag.name,
      _count: { dynamic_links: tag.links },
      created_at: tag.createdAt.toISOString(),
      updated_at: tag.updatedAt.toISOString(),
    };
  }
}

export class TagResponse extends dataOf(TagDto) {}
export class TagPage extends pageOf(TagDto) {}
