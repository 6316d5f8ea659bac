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
  CreateAndroidAppBody,
  AndroidAppDto,
  AndroidAppPage,
  AndroidAppResponse,
  ListAndroidAppsQuery,
  UpdateAndroidAppBody,
} from './android-apps.dto';
import { AndroidAppsService } from './android-apps.service';

@ApiTags('Android apps')
@ProjectInPath()
@Controller('api/v1/projects/:projectId/android-apps')
export class AndroidAppsController {
  constructor(
    private readonly apps: AndroidAppsService,
    private readonly locations: Locations,
  ) {}

  @Get()
  @Operation({
    summary: 'List Android apps',
    success: { status: 200, type: AndroidAppPage },
    errors: ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND', 'TOO_EXPENSIVE'],
  })
  async list(@PathProject() project: Project, @Query() query: ListAndroidAppsQuery): Promise<AndroidAppPage> {
    return page(await this.apps.list(project, query), query, AndroidAppDto.of);
  }

  @Post()
  @HttpCode(201)
  @Idempotent()
  @Operation({
    summary: 'Register an Android app',
    description:
      "The credentials of the app appear in the project's Android asset-links file within one second. A project has at most 100 apps of both " +
      'platforms by default, and its file at most 128,000 bytes.',
    success: { status: 201, type: AndroidAppResponse },
    errors: [
      'INVALID_INPUT',
      'FORBIDDEN_FIELD',
      'ACCESS_DENIED',
      'QUOTA',
      'NOT_FOUND',
      'PACKAGE_NAME_EXISTS',
      'CREATE_FAILED',
    ],
  })
  async create(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: CreateAndroidAppBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AndroidAppResponse> {
    const app = await this.apps.create(project, caller.plan, CreateAndroidAppBody.toApp(body));
    this.locations.created(response, `projects/${project.id}/android-apps/${app.id}`);
    return { data: AndroidAppDto.of(app) };
  }

  @Get(':appId')
  @AppInPath('Android app')
  @Operation({
    summary: 'Get an Android app',
    success: { status: 200, type: AndroidAppResponse, tagged: true },
    errors: ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND'],
  })
  async get(@PathProject() project: Project, @Param('appId', ResourceId) id: string): Promise<AndroidAppResponse> {
    return { data: AndroidAppDto.of(await this.apps.get(project, id)) };
  }

  @Put(':appId')
  @AppInPath('Android app')
  @Operation({
    summary: 'Update an Android app',
    description: 'Only the fields present in the body change; null clears `android_stores` and `paths`.',
    success: { status: 200, type: AndroidAppResponse },
    errors: [
      'INVALID_INPUT',
      'FORBIDDEN_FIELD',
      'ACCESS_DENIED',
      'QUOTA',
      'NOT_FOUND',
      'PACKAGE_NAME_EXISTS',
      'PRECONDITION_FAILED',
      'UPDATE_FAILED',
    ],
  })
  async update(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: UpdateAndroidAppBody,
    @Param('appId', ResourceId) id: string,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<AndroidAppResponse> {
    const precondition = unchangedSince(ifMatch, AndroidAppDto.of);
    const changes = UpdateAndroidAppBody.toChanges(body);
    return { data: AndroidAppDto.of(await this.apps.update(project, caller.plan, id, changes, precondition)) };
  }

  @Delete(':appId')
  @AppInPath('Android app')
  @Operation({
    summary: 'Delete an Android app',
    description:
      'Removes the credentials of the app from the Android asset-links file. The deletion is refused while dynamic links reference the app.',
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
    await this.apps.delete(project, id, unchangedSince(ifMatch, AndroidAppDto.of));
    return message('Android app deleted');
  }
}
