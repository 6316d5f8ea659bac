import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { countsAnswer } from '../../api-kit/kit/counts-answer';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { funnelCsv, StoreFunnelDto, StoreFunnelQuery, StoreFunnelResponse } from './store-funnel.dto';
import { StoreFunnelService } from './store-funnel.service';

@ApiTags('Analytics')
@Controller('api/v1/projects/:projectId/analytics/store-funnel')
export class StoreFunnelController {
  constructor(private readonly funnels: StoreFunnelService) {}

  @Get()
  @Operation({
    id: 'getStoreFunnel',
    summary: 'Count the way through the store',
    description:
      'Returns how many visits with a token of a deferred link reached each step through the store, and the outcomes of first launches. ' +
      'Each step and each outcome counts once. There is no row and no id of a person.',
    success: {
      type: StoreFunnelResponse,
      orFiles: { 'text/csv': 'value,name,path,shown\r\nInstagram,,,100\r\n' },
    },
    errors: ['TOO_EXPENSIVE'],
  })
  async ofProject(
    @PathProject() project: Project,
    @Query() query: StoreFunnelQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StoreFunnelResponse | string> {
    const data = StoreFunnelDto.of(query, await this.funnels.ofProject(project, StoreFunnelQuery.requestOf(query)));
    const file = { name: `store-funnel-${project.subdomain}`, format: query.format, write: funnelCsv };
    return countsAnswer(response, data, file);
  }
}
