import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import type { Project } from '../../links/projects/project';
import { ExplainAddressQuery, ExplainQuery } from './explain-query.dto';
import { ExplanationDto, ExplanationResponse } from './explain.dto';
import { ExplainService } from './explain.service';

@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId')
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Get('links/:linkId/explain')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'explainVisit',
    summary: 'Explain the answer to a visit',
    description:
      'Returns the detected visitor, the rules in the order of their evaluation, and the answer. The code that serves visits ' +
      'computes all of them. Send either `platform` or `user_agent`. The request counts no click and issues no token: `TOKEN` ' +
      'is the placeholder for the token of a visit. A phone on which the app is installed and handles the link opens the app ' +
      'without a visit.',
    success: ExplanationResponse,
  })
  async explain(
    @PathProject() project: Project,
    @Query() query: ExplainQuery,
    @Param('linkId', ResourceId) id: string,
  ) {
    return { data: ExplanationDto.of(await this.explanations.explain(project, id, ExplainQuery.toVisit(query))) };
  }

  @Get('explain')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'explainLongLink',
    summary: 'Explain the answer to an address',
    description:
      'With `path`, explains a visit of that path, which may be mistyped or have further characters at its end. The step `path` ' +
      'says how it leads to a link. Without `path`, explains a long link of Firebase, `https://host/?link=…`, whose query is the ' +
      'parameter `query`. The answer is `not_found` if the project serves no such link. The request counts no click.',
    success: ExplanationResponse,
  })
  async explainLongLink(@PathProject() project: Project, @Query() query: ExplainAddressQuery) {
    const visit = ExplainQuery.toVisit(query);
    const explanation =
      query.path === undefined
        ? await this.explanations.explainLongLink(project, visit)
        : await this.explanations.explainPath(project, query.path, visit);
    return { data: ExplanationDto.of(explanation) };
  }
}
