import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { fileHeaders } from '../../api-kit/kit/file-headers';
import { streamText } from '../../api-kit/kit/streamed-answer';
import { ExportLimits } from '../../tenancy/accounts/export-limits';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import { ClicksResponse, ExportClicksQuery, ListClicksQuery } from './recorded-clicks.dto';
import { RecordedClicksService } from './recorded-clicks.service';

@ApiTags('Analytics')
@Controller('api/v1/projects/:projectId/clicks')
export class RecordedClicksController {
  constructor(
    private readonly clicks: RecordedClicksService,
    private readonly limits: ExportLimits,
    private readonly journal: PgJournalRepository,
  ) {}

  @Get()
  @Operation({
    id: 'listClicks',
    summary: 'List the clicks of a project',
    description:
      'Returns single clicks, newest first. Clicks of deleted links are among them. Clicks of the last second may be missing, and ' +
      'those of a database outage come later.',
    success: ClicksResponse,
  })
  async list(@PathProject() project: Project, @Query() query: ListClicksQuery) {
    const page = await this.clicks.list(project, ListClicksQuery.requestOf(query));
    return ClicksResponse.of(page, query.limit);
  }

  @Get('export')
  @Operation({
    id: 'exportClicks',
    summary: 'Export the clicks of a day',
    description:
      'Returns all clicks of a day (UTC) as lines of JSON (NDJSON), in any order. Each line has the fields of a click in the list. If ' +
      'the export cannot be completed, the connection closes before the end of the response. Each export is an entry of the audit log.',
    success: {
      files: {
        'application/x-ndjson':
          '{"clicked_at":"2026-06-01T12:30:45.678Z","dynamic_link_id":"0198c0de-7e57-7000-8000-000000000002",' +
          '"short_link_id":null,"source":null,"platform":"ios","browser":"Safari","referrer":"news.example.com","country":"DE",' +
          '"bot":false,"qr":false}\n',
      },
      description: 'The clicks, as a file.',
    },
  })
  async export(
    @PathProject() project: Project,
    @Query() query: ExportClicksQuery,
    @Res() response: Response,
  ): Promise<void> {
    const day = await this.clicks.exportedDay(query.date);
    const date = new Date(day.from).toISOString().slice(0, 10);
    const headers = fileHeaders('application/x-ndjson', `clicks-${project.subdomain}-${date}.ndjson`);
    const lines = this.clicks.export(project, day, ExportClicksQuery.filterOf(query));
    await this.limits.run(project.accountId, async () => {
      await this.journal.addEvent(project.accountId, project.id, 'click.exported', query);
      await streamText(response, lines, headers);
    });
  }
}
