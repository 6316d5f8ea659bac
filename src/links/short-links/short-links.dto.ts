import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsResourceId } from '../../api-kit/kit/field.decorators';
import { PageQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { limitsOf } from '../../shared/rule';
import type { LinkPath } from '../link-paths/custom-path';
import { type ShortLink, slug } from './short-link';
import { IsSlug } from './short-links.decorators';

const described = {
  dynamic_link_id: {
    description: 'Id of the dynamic link that the short link opens. Both belong to the same project.',
    example: '0198c0de-7e57-7000-8000-000000000002',
  },
  slug: {
    description: "Path under the project's host. It is unique among the custom paths and slugs of the project.",
    example: 's4le',
  },
};

export class CreateShortLinkBody {
  @IsResourceId(described.dynamic_link_id)
  dynamic_link_id: string;

  @IsSlug({
    ...described.slug,
    description: `${described.slug.description} Default: four random characters of base 36, or more if the project has many short links.`,
    optional: true,
  })
  slug?: LinkPath;
}

export class ListShortLinksQuery extends PageQuery {
  @IsResourceId({
    description: 'Id of a dynamic link; only its short links are listed.',
    example: described.dynamic_link_id.example,
    optional: true,
  })
  dynamic_link_id?: string;
}

@ApiSchema({ name: 'ShortLink' })
export class ShortLinkDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000003' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ format: 'uuid', ...described.dynamic_link_id })
  dynamic_link_id: string;

  @ApiProperty({ ...limitsOf(slug), ...described.slug })
  slug: string;

  @ApiProperty({
    format: 'uri',
    description: 'URL of the short link, for sharing.',
    example: 'https://summer.go.example.com/s4le',
  })
  short_url: string;

  @ApiProperty({
    enum: ['dashboard', 'api'],
    description: 'Origin of the short link: `dashboard` for a signed-in user, `api` for an API key.',
    example: 'api',
  })
  source: string;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'User who created the short link, or whose API key created it.',
    example: '0198c0de-7e57-7000-8000-0000000000aa',
  })
  created_by: string | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'API key that created the short link, if `source` is `api`.',
    example: '0198c0de-7e57-7000-8000-000000000004',
  })
  created_by_api_key_id: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  static of(link: ShortLink, shortUrl: string): ShortLinkDto {
    return {
      id: link.id,
      project_id: link.projectId,
      dynamic_link_id: link.dynamicLinkId,
      slug: link.slug,
      short_url: shortUrl,
      source: link.source,
      created_by: link.createdBy,
      created_by_api_key_id: link.createdByApiKeyId,
      created_at: link.createdAt.toISOString(),
      updated_at: link.updatedAt.toISOString(),
    };
  }
}

export class ShortLinkResponse extends dataOf(ShortLinkDto) {}
export class ShortLinkPage extends pageOf(ShortLinkDto) {}
