import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import {
  IsDisplayName,
  IsForwardedParams,
  IsQueryForwarding,
  IsSearchText,
  IsWebUrl,
} from '../../api-kit/kit/field.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { omitUndefined } from '../../api-kit/kit/omit-undefined';
import { forwardedParams, type QueryForwarding, queryForwardings } from '../../shared/query-forwarding';
import { limitsOf } from '../../shared/rule';
import { displayName } from '../../shared/text';
import { allowedSchemes, type DestinationUrl } from '../../shared/destination-url';
import {
  type NewProjectFields,
  type Project,
  type ProjectChanges,
  type ProjectSortKey,
  type Subdomain,
  subdomainRule,
} from './project';
import type { ListedProject } from './project.repository';
import { type DestinationHost, longLinkDestinations } from './long-link-destinations';
import { IsAllowedSchemes, IsLongLinkDestinations, IsSubdomain } from './projects.decorators';

const optional = true;
const nullable = true;

const ownHost =
  'A URL on the visited host, or on the host of its links, is ignored, because the redirect would repeat endlessly.';

const described = {
  root_url: {
    description: `Destination of visitors of \`/\`. Null: \`/\` is an unknown path. ${ownHost}`,
    example: 'https://www.example.com/',
  },
  not_found_url: {
    description: `Destination of visitors of paths that no link has. Null: a page with the status 404. ${ownHost}`,
    example: 'https://www.example.com/not-found',
  },
  query_forwarding: {
    description:
      "Which of the visitor's parameters destinations get: `all`, `none`, or those that `forwarded_params` lists. A link can have another value.",
    example: 'all',
  },
  forwarded_params: {
    description: 'Names of parameters that destinations get if `query_forwarding` is `listed`. Letter case counts.',
    example: ['utm_source', 'gclid'],
  },
  allowed_schemes: {
    description:
      'Schemes that destinations of links may have beside http and https, such as `mailto`, `tel` and that of an app. Visitors get a page ' +
      'with a button. Schemes that run code, read files or belong to browsers, such as `javascript` and `data`, are refused. Links keep a ' +
      'destination whose scheme is removed here.',
    example: ['mailto', 'tel'],
  },
};

const longLinks = {
  description:
    'Hosts to which long links of Firebase, `https://host/?link=…`, may lead: `shop.example.com`, or `*.example.com` for all ' +
    'hosts below it. A host without a port allows the default ports. An empty list turns long links off.',
  example: ['shop.example.com', '*.example.org'],
};

export class CreateProjectBody {
  @IsDisplayName({ description: 'Display name.', example: 'Summer campaign' })
  name: string;

  @IsSubdomain({
    description:
      'First label of the host of every link in the project, unique in the whole service. Names that start with `xn--` are ' +
      'refused. Reserved names such as `www` and `api` count as taken. Former subdomains of other projects count as taken ' +
      'too, and so do subdomains of deleted projects while they are held for another account.',
    example: 'summer',
  })
  subdomain: Subdomain;

  @IsLongLinkDestinations({ ...longLinks, optional })
  long_link_destinations?: DestinationHost[];

  @IsWebUrl({ ...described.root_url, optional })
  root_url?: DestinationUrl;

  @IsWebUrl({ ...described.not_found_url, optional })
  not_found_url?: DestinationUrl;

  @IsQueryForwarding({ ...described.query_forwarding, optional })
  query_forwarding?: QueryForwarding;

  @IsForwardedParams({ ...described.forwarded_params, optional })
  forwarded_params?: string[];

  @IsAllowedSchemes({ ...described.allowed_schemes, optional })
  allowed_schemes?: string[];

  static toProject(body: CreateProjectBody): NewProjectFields {
    return { ...toProjectChanges(body), name: body.name, subdomain: body.subdomain };
  }
}

export class UpdateProjectBody {
  @IsDisplayName({ description: 'Display name.', example: 'Autumn campaign', optional: true })
  name?: string;

  @IsSubdomain({
    description:
      'New subdomain. It changes the URL of every link of the project immediately, unless a custom domain is active. The ' +
      'project keeps answering on the old subdomain and can return to it, until it is released. The number of former ' +
      'subdomains is limited.',
    example: 'autumn',
    optional: true,
  })
  subdomain?: Subdomain;

  @IsLongLinkDestinations({ ...longLinks, optional })
  long_link_destinations?: DestinationHost[];

  @IsWebUrl({ ...described.root_url, optional, nullable })
  root_url?: DestinationUrl | null;

  @IsWebUrl({ ...described.not_found_url, optional, nullable })
  not_found_url?: DestinationUrl | null;

  @IsQueryForwarding({ ...described.query_forwarding, optional })
  query_forwarding?: QueryForwarding;

  @IsForwardedParams({ ...described.forwarded_params, optional })
  forwarded_params?: string[];

  @IsAllowedSchemes({ ...described.allowed_schemes, optional })
  allowed_schemes?: string[];
}

/** Returns the fields that a body of creation or update has. */
export const toProjectChanges = (body: UpdateProjectBody): ProjectChanges =>
  omitUndefined({
    name: body.name,
    subdomain: body.subdomain,
    longLinkDestinations: body.long_link_destinations,
    rootUrl: body.root_url,
    notFoundUrl: body.not_found_url,
    queryForwarding: body.query_forwarding,
    forwardedParams: body.forwarded_params,
    allowedSchemes: body.allowed_schemes,
  });

export class ListProjectsQuery extends ListQuery {
  @IsSearchText({ description: 'Case-insensitive substring of the name or the subdomain.', example: 'summer' })
  search?: string;

  @IsSortKey(['name', 'subdomain', 'created_at', 'updated_at'])
  sortBy: ProjectSortKey;
}

@ApiSchema({ name: 'Project' })
export class ProjectDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  id: string;

  @ApiProperty({ maxLength: displayName.schema.maxLength, example: 'Summer campaign' })
  name: string;

  @ApiProperty({
    ...limitsOf(subdomainRule),
    description: 'First label of the host of every link in the project, unless a custom domain is active.',
    example: 'summer',
  })
  subdomain: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    maxItems: longLinkDestinations.schema.maxItems,
    ...longLinks,
  })
  long_link_destinations: string[];

  @ApiProperty({ type: 'string', nullable, ...described.root_url })
  root_url: string | null;

  @ApiProperty({ type: 'string', nullable, ...described.not_found_url })
  not_found_url: string | null;

  @ApiProperty({ enum: queryForwardings, ...described.query_forwarding })
  query_forwarding: QueryForwarding;

  @ApiProperty({ type: [String], maxItems: forwardedParams.schema.maxItems, ...described.forwarded_params })
  forwarded_params: string[];

  @ApiProperty({ type: [String], maxItems: allowedSchemes.schema.maxItems, ...described.allowed_schemes })
  allowed_schemes: string[];

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  @ApiProperty({
    format: 'uuid',
    description: 'User that the project belongs to.',
    example: '0198c0de-7e57-7000-8000-0000000000aa',
  })
  user_id: string;

  static of(this: void, project: Project): ProjectDto {
    return {
      id: project.id,
      name: project.name,
      subdomain: project.subdomain,
      long_link_destinations: [...project.longLinkDestinations],
      root_url: project.rootUrl,
      not_found_url: project.notFoundUrl,
      query_forwarding: project.queryForwarding,
      forwarded_params: [...project.forwardedParams],
      allowed_schemes: [...project.allowedSchemes],
      created_at: project.createdAt.toISOString(),
      updated_at: project.updatedAt.toISOString(),
      user_id: project.userId,
    };
  }
}

export class ProjectCounts {
  @ApiProperty({ type: 'integer', description: 'Number of dynamic links in the project.', example: 42 })
  dynamic_links: number;
}

@ApiSchema({ name: 'ListedProject' })
export class ListedProjectDto extends ProjectDto {
  @ApiProperty({ type: ProjectCounts })
  _count: ProjectCounts;

  static ofListed(this: void, { project, dynamicLinks }: ListedProject): ListedProjectDto {
    return { ...ProjectDto.of(project), _count: { dynamic_links: dynamicLinks } };
  }
}

export class ProjectResponse extends dataOf(ProjectDto) {}
export class ProjectPage extends pageOf(ListedProjectDto) {}
