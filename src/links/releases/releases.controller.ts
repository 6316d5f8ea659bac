import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { PageQuery } from '../../api-kit/kit/list-query';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { AppInPath, Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import type { AppPlatform } from '../apps/app';
import { appPlatforms } from '../apps/app-platforms';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import { type ReleaseBody, releaseDtos } from './releases.dto';
import { maxReleases, ReleasesService } from './releases.service';

/** Returns a controller with the routes of the releases of a platform's apps. */
function releaseRoutes(platform: AppPlatform) {
  const { ReleaseResponse, ReleasePage, toRelease, toChanges, rendererOf } = releaseDtos[platform];
  // oxlint-disable-next-line no-unused-vars -- Nest reads the classes from the types of parameters
  const { CreateBody, UpdateBody } = releaseDtos[platform];
  const { appName } = appPlatforms[platform];
  type CreateBody = ReleaseBody;
  type UpdateBody = ReleaseBody;

  @ApiTags(`${appName}s`)
  class ReleaseRoutes {
    constructor(readonly releases: ReleasesService) {}

    @Get()
    @AppInPath(appName)
    @Operation({ summary: `List releases of an ${appName}`, description: 'Newest come first.', success: ReleasePage })
    async list(@PathProject() project: Project, @Param('appId', ResourceId) appId: string, @Query() query: PageQuery) {
      return page(await this.releases.list({ platform, project, appId }, query), query, rendererOf(project));
    }

    @Post()
    @AppInPath(appName)
    @Idempotent()
    @Operation({
      summary: `Record a release of an ${appName}`,
      description:
        'Records a version that people can install. Later changes of the project that break it are reported or refused, as ' +
        `\`release_guard\` of the project says. An app has at most ${maxReleases} releases.`,
      success: { status: 201, type: ReleaseResponse },
      errors: ['QUOTA', 'RELEASE_EXISTS'],
    })
    async create(
      @PathProject() project: Project,
      @TheCaller() caller: Caller,
      @Param('appId', ResourceId) appId: string,
      @Body() body: CreateBody,
    ) {
      const release = await this.releases.create({ platform, project, appId }, caller.plan, toRelease(body));
      return { data: rendererOf(project)(release) };
    }

    @Get(':releaseId')
    @AppInPath(appName)
    @Operation({ summary: `Get a release of an ${appName}`, success: { type: ReleaseResponse, tagged: true } })
    async get(
      @PathProject() project: Project,
      @Param('appId', ResourceId) appId: string,
      @Param('releaseId', ResourceId) id: string,
    ) {
      return { data: rendererOf(project)(await this.releases.get({ platform, project, appId }, id)) };
    }

    @Put(':releaseId')
    @AppInPath(appName)
    @Operation({
      summary: `Update or retire a release of an ${appName}`,
      description: 'Only the fields present in the body change; null clears `paths`.',
      success: ReleaseResponse,
      errors: ['RELEASE_EXISTS'],
    })
    async update(
      @PathProject() project: Project,
      @Body() body: UpdateBody,
      @Param('appId', ResourceId) appId: string,
      @Param('releaseId', ResourceId) id: string,
      @IfMatch() ifMatch?: string,
    ) {
      const [path, render] = [{ platform, project, appId }, rendererOf(project)];
      const unchanged = unchangedSince(ifMatch, render);
      return { data: render(await this.releases.update(path, id, toChanges(body), unchanged)) };
    }

    @Delete(':releaseId')
    @AppInPath(appName)
    @Operation({ summary: `Delete a release of an ${appName}`, success: MessageResponse })
    async delete(
      @PathProject() project: Project,
      @Param('appId', ResourceId) appId: string,
      @Param('releaseId', ResourceId) id: string,
      @IfMatch() ifMatch?: string,
    ) {
      await this.releases.delete({ platform, project, appId }, id, unchangedSince(ifMatch, rendererOf(project)));
      return message('Release deleted');
    }
  }
  return ReleaseRoutes;
}

@Controller('api/v1/projects/:projectId/ios-apps/:appId/releases')
export class IosAppReleasesController extends releaseRoutes('ios') {}

@Controller('api/v1/projects/:projectId/android-apps/:appId/releases')
export class AndroidAppReleasesController extends releaseRoutes('android') {}
