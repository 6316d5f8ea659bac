import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { Locations } from '../../api-kit/kit/locations';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { AppInPath, Operation, ProjectInPath } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import type { Project } from '../projects/project';
import {
  CreateIosAppBody,
  IosAppDto,
  IosAppPage,
  IosAppResponse,
  ListIosAppsQuery,
  UpdateIosAppBody,
} from './ios-apps.dto';
import { IosAppsService } from './ios-apps.service';

@ApiTags('iOS apps')
@ProjectInPath()
@Controller('api/v1/projects/:projectId/ios-apps')
export class IosAppsController {
  constructor(
    private readonly apps: IosAppsService,
    private readonly locations: Locations,
  ) {}

  @Get()
  @Operation({
    summary: 'List iOS apps',
    success: { status: 200, type: IosAppPage },
    errors: ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND', 'TOO_EXPENSIVE'],
  })
  async list(@PathProject() project: Project, @Query() query: ListIosAppsQuery): Promise<IosAppPage> {
    return page(await this.apps.list(project, query), query, IosAppDto.of);
  }

  @Post()
  @HttpCode(201)
  @Idempotent()
  @Operation({
    summary: 'Register an iOS app',
    description:
      "The credentials of the app appear in the project's Apple association file within one second. A project has at most 100 apps of both " +
      'platforms by default, and its file at most 128,000 bytes.',
    success: { status: 201, type: IosAppResponse },
    errors: [
      'INVALID_INPUT',
      'FORBIDDEN_FIELD',
      'ACCESS_DENIED',
      'QUOTA',
      'NOT_FOUND',
      'BUNDLE_ID_EXISTS',
      'CREATE_FAILED',
    ],
  })
  async create(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: CreateIosAppBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IosAppResponse> {
    const app = await this.apps.create(project, caller.plan, CreateIosAppBody.toApp(body));
    this.locations.created(response, `projects/${project.id}/ios-apps/${app.id}`);
    return { data: IosAppDto.of(app) };
  }

  @Get(':appId')
  @AppInPath('iOS app')
  @Operation({
    summary: 'Get an iOS app',
    success: { status: 200, type: IosAppResponse, tagged: true },
    errors: ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND'],
  })
  async get(@PathProject() project: Project, @Param('appId', ResourceId) id: string): Promise<IosAppResponse> {
    return { data: IosAppDto.of(await this.apps.get(project, id)) };
  }

  @Put(':appId')
  @AppInPath('iOS app')
  @Operation({
    summary: 'Update an iOS app',
    description:
      'Only the fields present in the body change; null clears `appstore_id`, `app_clip_bundle_id` and `paths`.',
    success: { status: 200, type: IosAppResponse },
    errors: [
      'INVALID_INPUT',
      'FORBIDDEN_FIELD',
      'ACCESS_DENIED',
      'QUOTA',
      'NOT_FOUND',
      'BUNDLE_ID_EXISTS',
      'PRECONDITION_FAILED',
      'UPDATE_FAILED',
    ],
  })
  async update(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: UpdateIosAppBody,
    @Param('appId', ResourceId) id: string,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<IosAppResponse> {
    const precondition = unchangedSince(ifMatch, IosAppDto.of);
    const changes = UpdateIosAppBody.toChanges(body);
    return { data: IosAppDto.of(await this.apps.update(project, caller.plan, id, changes, precondition)) };
  }

  @Delete(':appId')
  @AppInPath('iOS app')
  @Operation({
    summary: 'Delete an iOS app',
    description:
      'Removes the credentials of the app from the Apple association file. The deletion is refused while dynamic links reference the app.',
    success: { status: 200, type: MessageResponse },
    errors: [
      'INVALID_INPUT',
      'ACCESS_DENIED',
      'NOT_FOUND',
      'LINKED_REFERENCES',
      'PRECONDITION_FAILED',
      'DELETE_FAILED',
    ],
  })
  async delete(
    @PathProject() project: Project,
    @Param('appId', ResourceId) id: string,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<MessageResponse> {
    await this.apps.delete(project, id, unchangedSince(ifMatch, IosAppDto.of));
    return message('iOS app deleted');
  }
}
