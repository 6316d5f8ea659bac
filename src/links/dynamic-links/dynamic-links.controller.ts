import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { IfMatch, resourceTag, unchangedSince } from '../../api-kit/kit/if-match';
import { message, MessageResponse } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Project } from '../projects/project';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import type { DynamicLink, DynamicLinkWithApps } from './dynamic-link';
import {
  DynamicLinkDto,
  DynamicLinkResponse,
  DynamicLinkWithAppsDto,
  DynamicLinkWithAppsResponse,
} from './dynamic-link.dto';
import { CreateDynamicLinkBody, errorsOfLinkBody, toChanges, UpdateDynamicLinkBody } from './dynamic-link-bodies.dto';
import { PgPublishableKeys } from '../../tenancy/api-keys/pg-publishable-keys';
import { DynamicLinksService } from './dynamic-links.service';

@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId/links')
export class DynamicLinksController {
  constructor(
    private readonly links: DynamicLinksService,
    private readonly hosts: LinkHosts,
    private readonly publishable: PgPublishableKeys,
  ) {}

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a dynamic link',
    success: { status: 201, type: DynamicLinkResponse },
    errors: ['QUOTA', ...errorsOfLinkBody],
  })
  async create(@PathProject() project: Project, @TheCaller() caller: Caller, @Body() body: CreateDynamicLinkBody) {
    const link = await this.publishable.create(caller, body, () =>
      this.links.create(project, caller.plan, CreateDynamicLinkBody.toLink(body)),
    );
    return { data: DynamicLinkDto.of(link, this.#fullUrl(project, link)) };
  }

  @Get(':linkId')
  @Operation({ summary: 'Get a dynamic link', success: { type: DynamicLinkWithAppsResponse, tagged: true } })
  async get(@PathProject() project: Project, @Param('linkId', ResourceId) id: string) {
    const link = await this.links.get(project, id);
    return { data: this.#render(project, link) };
  }

  @Put(':linkId')
  @Operation({
    summary: 'Update a dynamic link',
    description: 'Only the fields present in the body change; null clears a field that can be null.',
    success: DynamicLinkResponse,
    errors: errorsOfLinkBody,
  })
  async update(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: UpdateDynamicLinkBody,
    @Param('linkId', ResourceId) id: string,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = this.#unchangedSince(project, ifMatch);
    const acknowledgement = acknowledgementOf(query, response);
    const link = await this.links.update(project, caller.plan, id, toChanges(body), precondition, acknowledgement);
    // The response lacks the summaries of apps, which a GET has.
    response.setHeader('ETag', resourceTag(this.#render(project, link)));
    return { data: DynamicLinkDto.of(link, this.#fullUrl(project, link)) };
  }

  @Delete(':linkId')
  @Operation({
    summary: 'Delete a dynamic link',
    description: 'The URLs of the link and of its short links stop resolving.',
    success: MessageResponse,
  })
  async delete(@PathProject() project: Project, @Param('linkId', ResourceId) id: string, @IfMatch() ifMatch?: string) {
    await this.links.delete(project, id, this.#unchangedSince(project, ifMatch));
    return message('Dynamic link deleted');
  }

  #unchangedSince(project: Project, ifMatch: string | undefined) {
    return unchangedSince(ifMatch, (link: DynamicLinkWithApps) => this.#render(project, link));
  }

  #render(project: Project, link: DynamicLinkWithApps): DynamicLinkWithAppsDto {
    return DynamicLinkWithAppsDto.withApps(link, this.#fullUrl(project, link));
  }

  #fullUrl(project: Project, link: DynamicLink): string {
    return this.hosts.urlOf(project, link.customPath);
  }
}
