import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { Locations } from '../../api-kit/kit/locations';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import type { ErrorCase } from '../../api-kit/openapi/error-examples';
import { AppInPath, Operation, ProjectInPath } from '../../api-kit/openapi/operation';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import type { App, AppPlatform } from './app';
import { appPlatforms } from './app-platforms';
import * as dto from './apps.dto';
import { AppsService } from './apps.service';

const found: ErrorCase[] = ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND'];

/** Returns a controller with the routes of the apps of a platform. */
function appRoutes<P extends AppPlatform>(platform: P) {
  const { AppResponse, AppPage } = dto.appDtos[platform];
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- Nest reads the classes from the types of parameters
  const { CreateBody, UpdateBody, AppsQuery } = dto.appDtos[platform];
  const { appName, fileName, duplicate } = appPlatforms[platform];
  type CreateBody = dto.AppBody;
  type UpdateBody = dto.AppBody;
  type AppsQuery = InstanceType<typeof dto.appDtos.ios.AppsQuery>;
  const render = (app: App<P>) => dto.toDto(platform, app);

  @ApiTags(`${appName}s`)
  @ProjectInPath()
  class AppRoutes {
    constructor(
      readonly apps: AppsService,
      readonly locations: Locations,
    ) {}

    @Get()
    @Operation({
      summary: `List ${appName}s`,
      success: { status: 200, type: AppPage },
      errors: [...found, 'TOO_EXPENSIVE'],
    })
    async list(@PathProject() project: Project, @Query() query: AppsQuery) {
      return page(await this.apps.list(platform, project, query), query, render);
    }

    @Post()
    @HttpCode(201)
    @Idempotent()
    @Operation({
      summary: `Register an ${appName}`,
      description:
        `The credentials of the app appear in the project's ${fileName} within one second. A project has at most 100 apps of both ` +
        'platforms by default, and its file at most 128,000 bytes.',
      success: { status: 201, type: AppResponse },
      errors: [...found, 'FORBIDDEN_FIELD', 'QUOTA', duplicate, 'CREATE_FAILED'],
    })
    async create(
      @PathProject() project: Project,
      @TheCaller() caller: Caller,
      @Body() body: CreateBody,
      @Res({ passthrough: true }) response: Response,
    ) {
      const app = await this.apps.create(platform, project, caller.plan, dto.toApp(platform, body));
      this.locations.created(response, `projects/${project.id}/${platform}-apps/${app.id}`);
      return { data: render(app) };
    }

    @Get(':appId')
    @AppInPath(appName)
    @Operation({
      summary: `Get an ${appName}`,
      success: { status: 200, type: AppResponse, tagged: true },
      errors: found,
    })
    async get(@PathProject() project: Project, @Param('appId', ResourceId) id: string) {
      return { data: render(await this.apps.get(platform, project, id)) };
    }

    @Put(':appId')
    @AppInPath(appName)
    @Operation({
      summary: `Update an ${appName}`,
      description: `Only the fields present in the body change; null clears ${dto.nullableFields(platform)}.`,
      success: { status: 200, type: AppResponse },
      errors: [...found, 'FORBIDDEN_FIELD', 'QUOTA', duplicate, 'PRECONDITION_FAILED', 'UPDATE_FAILED'],
    })
    async update(
      @PathProject() project: Project,
      @TheCaller() caller: Caller,
      @Body() body: UpdateBody,
      @Param('appId', ResourceId) id: string,
      @IfMatch() ifMatch?: string,
    ) {
      const [changes, unchanged] = [dto.toChanges(platform, body), unchangedSince(ifMatch, render)];
      return { data: render(await this.apps.update(platform, project, caller.plan, id, changes, unchanged)) };
    }

    @Delete(':appId')
    @AppInPath(appName)
    @Operation({
      summary: `Delete an ${appName}`,
      description: `Removes the credentials of the app from the ${fileName}. The deletion is refused while dynamic links reference the app.`,
      success: { status: 200, type: MessageResponse },
      errors: [...found, 'LINKED_REFERENCES', 'PRECONDITION_FAILED', 'DELETE_FAILED'],
    })
    async delete(@PathProject() project: Project, @Param('appId', ResourceId) id: string, @IfMatch() ifMatch?: string) {
      await this.apps.delete(platform, project, id, unchangedSince(ifMatch, render));
      return message(`${appName} deleted`);
    }
  }
  return AppRoutes;
}

@Controller('api/v1/projects/:projectId/ios-apps')
export class IosAppsController extends appRoutes('ios') {}

@Controller('api/v1/projects/:projectId/android-apps')
export class AndroidAppsController extends appRoutes('android') {}
