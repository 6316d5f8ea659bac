import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { AssociationHealthDto, AssociationHealthQuery, AssociationHealthResponse } from './association-health.dto';
import { AssociationHealthService } from './association-health.service';

@ApiTags('Projects')
@Controller('api/v1/projects/:projectId/association-health')
export class AssociationHealthController {
  constructor(private readonly health: AssociationHealthService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    summary: 'Check the association files',
    description:
      'Checks `apple-app-site-association` and `assetlinks.json` of the project by the rules that Apple and Google publish, and ' +
      'returns problems with their remedies. The service sends no request unless `probe` is `true`. Phones receive a changed ' +
      "file late: iPhones within a day, through Apple's servers, and Android devices only from time to time.",
    success: AssociationHealthResponse,
  })
  async check(@PathProject() project: Project, @Query() query: AssociationHealthQuery) {
    const { probe, app_version: appVersion = null, platform = null } = query;
    return { data: AssociationHealthDto.of(await this.health.check(project, probe, appVersion, platform)) };
  }
}
