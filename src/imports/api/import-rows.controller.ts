import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isEnding } from '../../platform/http/drain';
import { ExportLimits } from '../../tenancy/accounts/export-limits';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';
import { fileHeaders } from '../../api-kit/kit/file-headers';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { eventStreamHeaders, streamText } from '../../api-kit/kit/streamed-answer';
import { page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { importEvents, maxStreams } from './import-events';
import { ImportRowDto, ImportRowPage } from './imports.dto';
import { ImportReportQuery, ListImportRowsQuery } from './imports-query.dto';
import { ImportsService } from './imports.service';

/** Answers with the rows of an import: as a list, as a file, and as events while they are processed. */
@ApiTags('Imports')
@Controller('api/v1/projects/:projectId/imports/:importId')
export class ImportRowsController {
  readonly #eventLimits = new ConcurrencyLimits(
    maxStreams,
    () => new TooManyAtOnce(1, 'Too many streams of import events are open'),
  );

  constructor(
    private readonly imports: ImportsService,
    private readonly exportLimits: ExportLimits,
  ) {}

  @Get('rows')
  @Operation({
    id: 'listImportRows',
    summary: 'List rows of an import',
    description: 'Returns the rows that the dry run or the run has processed, in the order of the file.',
    success: ImportRowPage,
    errors: ['TOO_EXPENSIVE'],
  })
  async listRows(
    @PathProject() project: Project,
    @Param('importId', ResourceId) id: string,
    @Query() query: ListImportRowsQuery,
  ) {
    const { job, rows, read } = await this.imports.rows(project, id, query);
    return page(rows, query, (row) => ImportRowDto.of(row, job, read));
  }

  @Get('report')
  @Operation({
    id: 'getImportReport',
    summary: 'Get the rows of an import as CSV',
    description:
      'Returns the processed rows with their outcomes, for people who correct them. The file can be sent as another import of the same ' +
      'source. An apostrophe before a formula is removed again then. It counts towards the limit of exports at once.',
    success: {
      files: {
        'text/csv':
          'signpost_row,signpost_outcome,signpost_field,signpost_reason,signpost_unmapped,name,custom_path\r\n' +
          '2,conflict,custom_path,custom_path belongs to a link that differs,,Summer sale,sale\r\n',
      },
      description: 'The rows, as a file.',
    },
  })
  async report(
    @PathProject() project: Project,
    @Param('importId', ResourceId) id: string,
    @Query() { outcome }: ImportReportQuery,
    @Res() response: Response,
  ): Promise<void> {
    const headers = fileHeaders('text/csv', `import-${id}.csv`);
    const texts = this.imports.report(project, id, outcome);
    await this.exportLimits.run(project.accountId, () => streamText(response, texts, headers));
  }

  @Get('events')
  @Operation({
    id: 'getImportEventStream',
    summary: 'Watch an import',
    description:
      'Sends server-sent events: `progress` with the import whenever it has changed, and `done` once neither dry run nor run works. ' +
      'The stream ends after a minute at the latest; clients connect again.',
    success: {
      files: {
        'text/event-stream':
          'event: progress\ndata: {"id":"0198c0de-7e57-7000-8000-000000000008","processed":1200}\n\n',
      },
      description: 'Events, whose data is the import as JSON.',
      isUnnamed: true,
    },
  })
  async watch(
    @PathProject() project: Project,
    @Param('importId', ResourceId) id: string,
    @Res() response: Response,
  ): Promise<void> {
    const isOver = () => response.destroyed || isEnding(response);
    await this.#eventLimits.run(project.accountId, () =>
      streamText(response, importEvents(this.imports.watch(project, id, isOver)), eventStreamHeaders),
    );
  }
}
