import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LinkInPath, Operation, ProjectInPath } from '../../management-api/openapi/operation';
import { PathProject } from '../../management-api/projects/path-project.decorator';
import { ResourceId } from '../../management-api/kit/resource-id';
import type { Project } from '../../management-api/projects/project';
import { ExplainQuery } from './explain-query.dto';
import { ExplanationDto, ExplanationResponse } from './explain.dto';
import { ExplainService } from './explain.service';

@ApiTags('Dynamic links')
@ProjectInPath()
@Controller('api/v1/projects/:projectId/links/:linkId/explain')
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @LinkInPath()
  @Operation({
    id: 'explainVisit',
    summary: 'Explain what a visitor gets',
    description:
      'Who a visitor is taken for, the rules in the order in which they were looked at, and the answer, all by the code ' +
      'that serves visits. Send either `platform` or `user_agent`. Nothing is counted, and no token is issued: `TOKEN` ' +
      'stands where a visit gets one of its own. A phone that has the app, and takes it for the link, opens it without any visit.',
    success: { status: 200, type: ExplanationResponse },
    errors: ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND'],
  })
  async explain(
    @PathProject() project: Project,
    @Query() query: ExplainQuery,
    @Param('linkId', ResourceId) id: string,
  ): Promise<ExplanationResponse> {
    const visit = ExplainQuery.toVisit(query);
    return { data: ExplanationDto.of(await this.explanations.explain(project, id, visit)) };
  }
}
