import { Body, Controller, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import {
  CreateDynamicLinkBody,
  errorsOfLinkBody,
  toChanges,
  UpdateDynamicLinkBody,
} from '../../links/dynamic-links/dynamic-link-bodies.dto';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import type { Project } from '../../links/projects/project';
import { ExplainAddressQuery, ExplainQuery } from './explain-query.dto';
import { ExplanationDto, ExplanationResponse } from './explain.dto';
import { SimulateQuery } from './simulate-query.dto';
import { SimulationDto, SimulationResponse } from './simulation.dto';
import { ExplainService } from './explain.service';

const ofDraft =
  'The query names the visitor, as for a stored link. The request stores nothing, counts no click and uses no quota. The ' +
  'body has the rules and the errors of';

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

  @Post('links/:linkId/explain')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'explainChangedLink',
    summary: 'Explain a visit with changes that are not saved',
    description: `Explains the visit as if the dynamic link had the changes in the body. ${ofDraft} an update.`,
    success: ExplanationResponse,
    errors: errorsOfLinkBody,
    isRead: true,
  })
  async explainChanged(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Query() query: ExplainQuery,
    @Body() body: UpdateDynamicLinkBody,
    @Param('linkId', ResourceId) id: string,
  ) {
    const visit = ExplainQuery.toVisit(query);
    const explanation = await this.explanations.explainChanged(project, caller.plan, id, toChanges(body), visit);
    return { data: ExplanationDto.of(explanation) };
  }

  @Post('links/:linkId/simulate')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'simulateVisits',
    summary: 'Simulate visits of a link by many visitors',
    description:
      'Returns a row for each combination of `platform`, `country`, `language` and `at`, at most 200: the rule of the link that decides, ' +
      'and the answer. The body has changes that are not saved, and may be `{}`. The request stores nothing and counts no click.',
    success: SimulationResponse,
    errors: errorsOfLinkBody,
    isRead: true,
  })
  async simulate(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Query() query: SimulateQuery,
    @Body() body: UpdateDynamicLinkBody,
    @Param('linkId', ResourceId) id: string,
  ) {
    const rows = SimulateQuery.toRows(query);
    const visits = rows.map((row) => SimulateQuery.toVisit(row, query.query));
    const { now, explanations } = await this.explanations.simulate(project, caller.plan, id, toChanges(body), visits);
    return { data: SimulationDto.of(rows, now, explanations) };
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

  @Post('explain')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'explainNewLink',
    summary: 'Explain a visit of a link that is not created yet',
    description:
      `Explains the visit as if a dynamic link with the body had been created. ${ofDraft} a creation, without its quota. ` +
      'Without `custom_path`, `PATH` is the placeholder for the path that a creation generates.',
    success: ExplanationResponse,
    errors: errorsOfLinkBody,
    isRead: true,
  })
  async explainNew(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Query() query: ExplainQuery,
    @Body() body: CreateDynamicLinkBody,
  ) {
    const visit = ExplainQuery.toVisit(query);
    const fields = CreateDynamicLinkBody.toLink(body);
    return { data: ExplanationDto.of(await this.explanations.explainNew(project, caller.plan, fields, visit)) };
  }
}
