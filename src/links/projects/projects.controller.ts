import { Body, Controller, Delete, Get, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { ApprovalGate } from '../../tenancy/approvals/approval-gate';
import { PathProject } from './path-project.decorator';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Operation } from '../../api-kit/openapi/operation';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { ReadsCurrentProject } from '../../api-kit/kit/route-markers';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import type { Project } from './project';
import {
  CreateProjectBody,
  ListedProjectDto,
  ListProjectsQuery,
  ProjectDto,
  ProjectPage,
  ProjectResponse,
  toProjectChanges,
  UpdateProjectBody,
} from './projects.dto';
import { ProjectsService } from './projects.service';

@ApiTags('Projects')
@ReadsCurrentProject()
@Controller('api/v1/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly approvals: ApprovalGate,
  ) {}

  @Get()
  @Operation({ summary: 'List projects', success: ProjectPage })
  async list(@TheCaller() caller: Caller, @Query() query: ListProjectsQuery) {
    return page(await this.projects.list(caller, query), query, ListedProjectDto.ofListed);
  }

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Create a project',
    success: { status: 201, type: ProjectResponse },
    errors: ['QUOTA', 'DESTINATION_REFUSED', 'SUBDOMAIN_TAKEN'],
  })
  async create(@TheCaller() caller: Caller, @Body() body: CreateProjectBody) {
    const project = await this.projects.create(caller, CreateProjectBody.toProject(body));
    return { data: ProjectDto.render(project) };
  }

  @Get(':projectId')
  @Operation({ summary: 'Get a project', success: { type: ProjectResponse, tagged: true } })
  get(@PathProject() project: Project): ProjectResponse {
    return { data: ProjectDto.render(project) };
  }

  @Put(':projectId')
  @Operation({
    summary: 'Update a project',
    description: 'Only the fields present in the body change; null clears a field.',
    success: ProjectResponse,
    errors: ['QUOTA', 'DESTINATION_REFUSED', 'SUBDOMAIN_TAKEN'],
  })
  async update(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: UpdateProjectBody,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, ProjectDto.render);
    const changes = toProjectChanges(body);
    const acknowledgement = acknowledgementOf(query, response);
    const updated = await this.projects.update(project, caller, changes, precondition, acknowledgement);
    return { data: ProjectDto.render(updated) };
  }

  @Delete(':projectId')
  @Operation({
    summary: 'Delete a project',
    description:
      'Permanently deletes the project with its dynamic links, app registrations, custom domains and analytics data. Its ' +
      'subdomains are held for the account for 90 days, unless the service is configured otherwise. Its verified custom ' +
      'domains are held for the same time while their TXT records exist.',
    success: MessageResponse,
    errors: ['APPROVAL_REQUIRED'],
  })
  async delete(
    @PathProject() project: Project,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, ProjectDto.render);
    precondition?.(project);
    const { accountId, id } = project;
    await this.approvals.require(accountId, { operation: 'deleteProject', projectId: id, resourceId: id });
    await this.projects.delete(project, precondition, acknowledgementOf(query, response));
    return message('Project deleted');
  }
}
