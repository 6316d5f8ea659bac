import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { AppInPath, Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import type { AppPlatform } from './app';
import { appPlatforms } from './app-platforms';
import { type AppBody, appDtos } from './apps.dto';
import { AppsService } from './apps.service';

/** Returns a controller with the routes of the apps of a platform. */
function appRoutes<P extends AppPlatform>(platform: P) {
  const { AppResponse, AppPage, toApp, toChanges, toDto, nullableFields } = appDtos[platform];
  // oxlint-disable-next-line no-unused-vars -- Nest reads the classes from the types of parameters
  const { CreateBody, UpdateBody, AppsQuery } = appDtos[platform];
  const { appName, fileName, duplicate } = appPlatforms[platform];
  type CreateBody = AppBody;
  type UpdateBody = AppBody;
  type AppsQuery = InstanceType<typeof appDtos.ios.AppsQuery>;

  @ApiTags(`${appName}s`)
  class AppRoutes {
    constructor(readonly apps: AppsService) {}

    @Get()
    @Operation({ summary: `List ${appName}s`, success: AppPage })
    async list(@PathProject() project: Project, @Query() query: AppsQuery) {
      return page(await this.apps.list(platform, project, query), query, toDto);
    }

    @Post()
    @Idempotent()
    @Operation({
      summary: `Register an ${appName}`,
      description:
        `The credentials of the app appear in the project's ${fileName} within one second. A project has at most 100 apps of both ` +
        'platforms by default, and its file at most 128,000 bytes.',
      success: { status: 201, type: AppResponse },
      errors: ['QUOTA', duplicate],
    })
    async create(
      @PathProject() project: Project,
      @TheCaller() caller: Caller,
      @Body() body: CreateBody,
      @Query() query: AcknowledgeQuery,
      @Res({ passthrough: true }) response: Response,
    ) {
      const acknowledgement = acknowledgementOf(query, response);
      return { data: toDto(await this.apps.create(platform, project, caller.plan, toApp(body), acknowledgement)) };
    }

    @Get(':appId')
    @AppInPath(appName)
    @Operation({ summary: `Get an ${appName}`, success: { type: AppResponse, tagged: true } })
    async get(@PathProject() project: Project, @Param('appId', ResourceId) id: string) {
      return { data: toDto(await this.apps.get(platform, project, id)) };
    }

    @Put(':appId')
    @AppInPath(appName)
    @Operation({
      summary: `Update an ${appName}`,
      description: `Only the fields present in the body change; null clears ${new Intl.ListFormat('en-GB').format(nullableFields)}.`,
      success: AppResponse,
      errors: ['QUOTA', duplicate],
    })
    async update(
      @PathProject() project: Project,
      @TheCaller() caller: Caller,
      @Body() body: UpdateBody,
      @Param('appId', ResourceId) id: string,
      @Query() query: AcknowledgeQuery,
      @Res({ passthrough: true }) response: Response,
      @IfMatch() ifMatch?: string,
    ) {
      const [changes, unchanged] = [toChanges(body), unchangedSince(ifMatch, toDto)];
      const acknowledgement = acknowledgementOf(query, response);
      const app = await this.apps.update(platform, project, caller.plan, id, changes, unchanged, acknowledgement);
      return { data: toDto(app) };
    }

    @Delete(':appId')
    @AppInPath(appName)
    @Operation({
      summary: `Delete an ${appName}`,
      description: `Removes the credentials of the app from the ${fileName}. The deletion is refused while dynamic links reference the app.`,
      success: MessageResponse,
      errors: ['LINKED_REFERENCES'],
    })
    async delete(
      @PathProject() project: Project,
      @Param('appId', ResourceId) id: string,
      @Query() query: AcknowledgeQuery,
      @Res({ passthrough: true }) response: Response,
      @IfMatch() ifMatch?: string,
    ) {
      const unchanged = unchangedSince(ifMatch, toDto);
      await this.apps.delete(platform, project, id, unchanged, acknowledgementOf(query, response));
      return message(`${appName} deleted`);
    }
  }
  return AppRoutes;
}

@Controller('api/v1/projects/:projectId/ios-apps')
export class IosAppsController extends appRoutes('ios') {}

@Controller('api/v1/projects/:projectId/android-apps')
export class AndroidAppsController extends appRoutes('android') {}
