import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import {
  CreateLinkTemplateBody,
  LinkTemplateDto,
  LinkTemplatePage,
  LinkTemplateResponse,
  ListLinkTemplatesQuery,
  toTemplate,
  toTemplateChanges,
  UpdateLinkTemplateBody,
} from './link-templates.dto';
import { LinkTemplatesService } from './link-templates.service';

@ApiTags('Link templates')
@Controller('api/v1/projects/:projectId/link-templates')
export class LinkTemplatesController {
  constructor(private readonly templates: LinkTemplatesService) {}

  @Get()
  @Operation({ summary: 'List link templates', success: LinkTemplatePage })
  async list(@PathProject() project: Project, @Query() query: ListLinkTemplatesQuery) {
    return page(await this.templates.list(project, query), query, LinkTemplateDto.of);
  }

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a link template',
    description:
      'A template has parameters and rules for many links, which name it in `template`. A project has at most 50.',
    success: { status: 201, type: LinkTemplateResponse },
    errors: ['TEMPLATE_EXISTS', 'DESTINATION_REFUSED', 'QUOTA'],
  })
  async create(@PathProject() project: Project, @TheCaller() caller: Caller, @Body() body: CreateLinkTemplateBody) {
    return { data: LinkTemplateDto.of(await this.templates.create(project, caller.plan, toTemplate(body))) };
  }

  @Get(':templateId')
  @Operation({ summary: 'Get a link template', success: { type: LinkTemplateResponse, tagged: true } })
  async get(@PathProject() project: Project, @Param('templateId', ResourceId) id: string) {
    return { data: LinkTemplateDto.of(await this.templates.get(project, id)) };
  }

  @Put(':templateId')
  @Operation({
    summary: 'Update a link template',
    description: 'Visitors of all its links get the change within a second.',
    success: LinkTemplateResponse,
    errors: ['DESTINATION_REFUSED'],
  })
  async update(
    @PathProject() project: Project,
    @Body() body: UpdateLinkTemplateBody,
    @Param('templateId', ResourceId) id: string,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, LinkTemplateDto.of);
    return {
      data: LinkTemplateDto.of(await this.templates.update(project, id, toTemplateChanges(body), precondition)),
    };
  }

  @Delete(':templateId')
  @Operation({
    summary: 'Delete a link template',
    description: 'A template that links name is not deleted.',
    success: MessageResponse,
    errors: ['LINKED_REFERENCES'],
  })
  async delete(
    @PathProject() project: Project,
    @Param('templateId', ResourceId) id: string,
    @IfMatch() ifMatch?: string,
  ) {
    await this.templates.delete(project, id, unchangedSince(ifMatch, LinkTemplateDto.of));
    return message('Link template deleted');
  }
}
