import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../tenancy/accounts/caller';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { PgPublishableKeys } from '../../tenancy/api-keys/pg-publishable-keys';
import { RequiresFeature } from '../../tenancy/accounts/requires-feature.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Project } from '../projects/project';
import type { ShortLink } from './short-link';
import {
  CreateShortLinkBody,
  ListShortLinksQuery,
  ShortLinkDto,
  ShortLinkPage,
  ShortLinkResponse,
} from './short-links.dto';
import { ShortLinksService } from './short-links.service';

@ApiTags('Short links')
@Controller('api/v1/projects/:projectId/short-links')
export class ShortLinksController {
  constructor(
    private readonly shortLinks: ShortLinksService,
    private readonly hosts: LinkHosts,
    private readonly publishable: PgPublishableKeys,
  ) {}

  @Get()
  @Operation({
    summary: 'List short links',
    description: 'Newest short links come first.',
    success: ShortLinkPage,
    errors: ['TOO_EXPENSIVE'],
  })
  async list(@PathProject() project: Project, @Query() query: ListShortLinksQuery) {
    const { dynamic_link_id: dynamicLinkId, ...request } = query;
    const found = await this.shortLinks.list(project, { ...request, dynamicLinkId });
    return page(found, query, (link) => this.#render(project, link));
  }

  @Post()
  @Idempotent()
  @RequiresFeature('short_links')
  @Operation({
    summary: 'Create a short link',
    description: 'The Pro plan or a higher plan is required. Existing short links keep working after a downgrade.',
    success: { status: 201, type: ShortLinkResponse },
    errors: ['QUOTA', 'FORBIDDEN_PLAN', 'FORBIDDEN_CROSS_SCOPE', 'SLUG_EXISTS'],
  })
  async create(@PathProject() project: Project, @TheCaller() caller: Caller, @Body() body: CreateShortLinkBody) {
    const link = await this.publishable.create(caller, body, () =>
      this.shortLinks.create(project, caller, body.dynamic_link_id, body.slug),
    );
    return { data: this.#render(project, link) };
  }

  @Get(':shortLinkId')
  @Operation({ summary: 'Get a short link', success: { type: ShortLinkResponse, tagged: true } })
  async get(@PathProject() project: Project, @Param('shortLinkId', ResourceId) id: string) {
    return { data: this.#render(project, await this.shortLinks.get(project, id)) };
  }

  @Delete(':shortLinkId')
  @Operation({ summary: 'Delete a short link', success: MessageResponse })
  async delete(
    @PathProject() project: Project,
    @Param('shortLinkId', ResourceId) id: string,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, (link: ShortLink) => this.#render(project, link));
    await this.shortLinks.delete(project, id, precondition);
    return message('Short link deleted');
  }

  #render(project: Project, link: ShortLink): ShortLinkDto {
    return ShortLinkDto.of(link, this.hosts.urlOf(project, link.slug));
  }
}
