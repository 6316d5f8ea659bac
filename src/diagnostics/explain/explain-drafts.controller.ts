import { Body, Controller, Header, Param, Post, Query } from '@nestjs/common';
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
import { ExplainQuery } from './explain-query.dto';
import { ExplanationDto, ExplanationResponse } from './explain.dto';
import { SimulateQuery } from './simulate-query.dto';
import { SimulationDto, SimulationResponse } from './simulation.dto';
import { ExplainService } from './explain.service';

const ofDraft =
  'The query names the visitor, as for a stored link. The request stores nothing, counts no click and uses no quota. The ' +
  'body has the rules and the errors of';

/** Explains visits of links that are not stored yet, or have changes that are not. */
@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId')
export class ExplainDraftsController {
  constructor(private readonly explanations: ExplainService) {}

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
