import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { countsAnswer } from '../../api-kit/kit/counts-answer';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import {
  ConversionStatisticsDto,
  conversionsToCsv,
  ConversionStatisticsQuery,
  ConversionStatisticsResponse,
} from './conversion-statistics.dto';
import { ConversionStatisticsService } from './conversion-statistics.service';

const statisticsExample = {
  'text/csv': 'start,end,conversions,refunds\r\n2026-06-01T00:00:00.000Z,2026-06-02T00:00:00.000Z,2,1\r\n',
};

@ApiTags('Conversions')
@Controller('api/v1/projects/:projectId/analytics/conversions')
export class ConversionStatisticsController {
  constructor(private readonly statistics: ConversionStatisticsService) {}

  @Get()
  @Operation({
    id: 'getConversionAnalytics',
    summary: 'Count the conversions of a project',
    description:
      'Returns conversions beside the clicks, opens and claims of the same links in the same period. Values are exact. Conversions of ' +
      'deleted links count.',
    success: { type: ConversionStatisticsResponse, orFiles: statisticsExample },
    errors: ['TOO_EXPENSIVE'],
  })
  async ofProject(
    @PathProject() project: Project,
    @Query() query: ConversionStatisticsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ConversionStatisticsResponse | string> {
    const funnel = await this.statistics.ofProject(project, ConversionStatisticsQuery.requestOf(query));
    const file = { name: `conversion-statistics-${project.subdomain}`, format: query.format, write: conversionsToCsv };
    return countsAnswer(response, ConversionStatisticsDto.of(query, funnel), file);
  }
}
