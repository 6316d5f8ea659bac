import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { countsAnswer } from '../../api-kit/kit/counts-answer';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import type { Project } from '../../links/projects/project';
import { toCsv } from './statistics-csv';
import { StatisticsDto, StatisticsResponse } from './statistics.dto';
import { ProjectStatisticsQuery, StatisticsQuery } from './statistics-query.dto';
import { StatisticsService } from './statistics.service';

const description =
  'Clicks are counted continuously; clicks of the last second may be missing. The service keeps clicks for 13 months and the ' +
  'current month, unless it is configured otherwise. It deletes them with their project.';

const csvExample = {
  'text/csv': 'start,end,clicks,qr_scans\r\n2026-06-01T00:00:00.000Z,2026-06-02T00:00:00.000Z,1250,40\r\n',
};

@ApiTags('Analytics')
@Controller('api/v1/projects/:projectId')
export class StatisticsController {
  constructor(private readonly statistics: StatisticsService) {}

  @Get('analytics')
  @Operation({
    id: 'getProjectAnalytics',
    summary: 'Count the clicks of a project',
    description: `${description} The sums include clicks of deleted links.`,
    success: { type: StatisticsResponse, orFiles: csvExample },
  })
  async ofProject(
    @PathProject() project: Project,
    @Query() query: ProjectStatisticsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatisticsResponse | string> {
    const counted = await this.statistics.ofProject(project, ProjectStatisticsQuery.requestOf(query));
    return countsAnswer(response, StatisticsDto.of(query, counted), fileOf(project, query));
  }

  @Get('links/:linkId/analytics')
  @Operation({
    id: 'getDynamicLinkAnalytics',
    summary: 'Count the clicks of a dynamic link',
    description: `${description} The sums include clicks of its short links.`,
    success: { type: StatisticsResponse, orFiles: csvExample },
  })
  async ofLink(
    @PathProject() project: Project,
    @Query() query: StatisticsQuery,
    @Param('linkId', ResourceId) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StatisticsResponse | string> {
    const counted = await this.statistics.ofLink(project, id, StatisticsQuery.requestOf(query));
    return countsAnswer(response, StatisticsDto.of(query, counted), fileOf(project, query));
  }
}

const fileOf = ({ subdomain }: Project, { format, metric }: StatisticsQuery) => ({
  format,
  name: `${metric}-${subdomain}`,
  write: (data: StatisticsDto) => toCsv(data, metric),
});
