import { Body, Controller, Get, Param, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { IfMatch, resourceTag, unchangedSince } from '../../api-kit/kit/if-match';
import { Locations } from '../../api-kit/kit/locations';
import { ExternalIdInPath, Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { parseInPath } from '../../api-kit/kit/resource-id';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Project } from '../projects/project';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import type { DynamicLinkWithApps } from './dynamic-link';
import { externalId as externalIdRule } from './link-fields';
import {
  DynamicLinkDto,
  DynamicLinkResponse,
  DynamicLinkWithAppsDto,
  DynamicLinkWithAppsResponse,
} from './dynamic-link.dto';
import { CreateDynamicLinkBody, errorsOfLinkBody, ReplaceDynamicLinkBody } from './dynamic-link-bodies.dto';
import { ExternalIdLinksService } from './external-id-links.service';

@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId/links')
export class ExternalIdLinksController {
  constructor(
    private readonly links: ExternalIdLinksService,
    private readonly hosts: LinkHosts,
    private readonly locations: Locations,
  ) {}

  @Get('by-external-id/:externalId')
  @ExternalIdInPath(externalIdRule.schema)
  @Operation({
    id: 'getDynamicLinkByExternalId',
    summary: 'Get a dynamic link by its external id',
    description: 'Returns the link, archived or not.',
    success: { type: DynamicLinkWithAppsResponse, tagged: true },
  })
  async getByExternalId(@PathProject() project: Project, @Param('externalId') given: string) {
    const link = await this.links.getByExternalId(project, externalIdRule.tryParse(given));
    return { data: DynamicLinkWithAppsDto.withApps(link, this.hosts.urlOf(project, link.customPath)) };
  }

  @Put('by-external-id/:externalId')
  @ExternalIdInPath(externalIdRule.schema)
  @Operation({
    id: 'replaceDynamicLink',
    summary: 'Create or replace a dynamic link by its external id',
    description:
      'Creates the link (201), or replaces it (200): fields that are absent get their defaults. A link that exists keeps its ' +
      '`custom_path` if the body has none. A repeated request has the same result, so it needs no `Idempotency-Key`.',
    success: { type: DynamicLinkResponse, orCreates: true },
    // Nobody else can have the external id of the path.
    errors: [...errorsOfLinkBody.filter((error) => error !== 'EXTERNAL_ID_EXISTS'), 'QUOTA'],
  })
  async replace(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: ReplaceDynamicLinkBody,
    @Param('externalId') given: string,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ) {
    const externalId = parseInPath('externalId', externalIdRule, given);
    const fields = CreateDynamicLinkBody.toLink(body);
    const render = (link: DynamicLinkWithApps) =>
      DynamicLinkWithAppsDto.withApps(link, this.hosts.urlOf(project, link.customPath));
    const precondition = unchangedSince(ifMatch, render);
    const acknowledgement = acknowledgementOf(query, response);
    const { link, isNew } = await this.links.replace(
      project,
      caller.plan,
      externalId,
      fields,
      precondition,
      acknowledgement,
    );
    if (isNew) {
      response.status(201);
      this.locations.created(response, `projects/${project.id}/links/${link.id}`);
    }
    response.setHeader('ETag', resourceTag(render(link)));
    return { data: DynamicLinkDto.of(link, this.hosts.urlOf(project, link.customPath)) };
  }
}
