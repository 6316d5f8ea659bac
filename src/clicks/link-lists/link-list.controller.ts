import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DynamicLinkPage, DynamicLinkWithAppsDto } from '../../links/dynamic-links/dynamic-link.dto';
import { ListDynamicLinksQuery } from '../../links/dynamic-links/dynamic-links-query.dto';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import { page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import type { Project } from '../../links/projects/project';
import { PathProject } from '../../links/projects/path-project.decorator';
import { LinkListService } from './link-list.service';

@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId/links')
export class LinkListController {
  constructor(
    private readonly lists: LinkListService,
    private readonly hosts: LinkHosts,
  ) {}

  @Get()
  @Operation({ id: 'listDynamicLinks', summary: 'List dynamic links', success: DynamicLinkPage })
  async list(@PathProject() project: Project, @Query() query: ListDynamicLinksQuery) {
    const { include, ...request } = query;
    const { counts, ...found } = await this.lists.list(project, request, include === 'clicks');
    return page(found, query, (link) =>
      // A copy by spread would triple the time of an answer.
      Object.assign(
        DynamicLinkWithAppsDto.withApps(link, this.hosts.urlOf(project, link.customPath)),
        counts?.get(link.id),
      ),
    );
  }
}
