import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation, ProjectInPath } from '../../management-api/openapi/operation';
import { PathProject } from '../../management-api/projects/path-project.decorator';
import type { Project } from '../../management-api/projects/project';
import { AssociationHealthQuery } from './association-health-query.dto';
import { AssociationHealthDto, AssociationHealthResponse } from './association-health.dto';
import { AssociationHealthService } from './association-health.service';

@ApiTags('Projects')
@ProjectInPath()
@Controller('api/v1/projects/:projectId/association-health')
export class AssociationHealthController {
  constructor(private readonly health: AssociationHealthService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    summary: 'Check the association files',
    description:
      'What `apple-app-site-association` and `assetlinks.json` say on the hosts of the project, held against the rules that ' +
      'Apple and Google publish: problems with their remedies. Nothing is called unless `probe` is `true`. Phones learn of a ' +
      "changed file late: iPhones through Apple's servers, within a day, and both ask again only now and then.",
    success: { status: 200, type: AssociationHealthResponse },
    errors: ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND'],
  })
  async check(
    @PathProject() project: Project,
    @Query() { probe }: AssociationHealthQuery,
  ): Promise<AssociationHealthResponse> {
    return { data: AssociationHealthDto.of(await this.health.check(project, probe)) };
  }
}
