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
    summary: 'Explain the answer to a visit',
    description:
      'Returns the detected visitor, the rules in the order of their evaluation, and the answer. The code that serves visits ' +
      'computes all of them. Send either `platform` or `user_agent`. The request counts no click and issues no token: `TOKEN` ' +
      'is the placeholder for the token of a visit. A phone on which the app is installed and handles the link opens the app ' +
      'without a visit.',
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
