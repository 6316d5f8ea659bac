import { Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isEnding } from '../../platform/http/drain';
import type { Caller } from '../../tenancy/accounts/caller';
import { ExportLimits } from '../../tenancy/accounts/export-limits';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';
import { fileHeaders } from '../../api-kit/kit/file-headers';
import { ListQuery } from '../../api-kit/kit/list-query';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { streamText } from '../../api-kit/kit/streamed-answer';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import type { Import } from '../model/import';
import { ImportDto, ImportPage, ImportResponse, ImportRowDto, ImportRowPage } from './imports.dto';
import { ImportReportQuery, ListImportRowsQuery } from './imports-query.dto';
import { ImportsService } from './imports.service';

/** Streams of events that an account, and a process, have at once. Each reads the database twice a second. */
export const maxStreams = { ofAccount: 5, ofProcess: 50 };

@ApiTags('Imports')
@Controller('api/v1/projects/:projectId/imports')
export class ImportsController {
  readonly #eventLimits = new ConcurrencyLimits(
    maxStreams,
    () => new TooManyAtOnce(1, 'Too many streams of import events are open'),
  );

  constructor(
    private readonly imports: ImportsService,
    private readonly exportLimits: ExportLimits,
  ) {}

  @Get()
  @Operation({
    summary: 'List imports',
    description: 'Returns the imports of the last 30 days, at most 20.',
    success: ImportPage,
    errors: ['TOO_EXPENSIVE'],
  })
  async list(@PathProject() project: Project, @Query() query: ListQuery) {
    return page(await this.imports.list(project, query), query, (job) => ImportDto.of(job));
  }

  @Get(':importId')
  @Operation({
    summary: 'Get an import',
    description: 'Returns the state, the progress, the remaining time, missing apps, and fields without a place.',
    success: { type: ImportResponse, tagged: true },
  })
  async get(@PathProject() project: Project, @Param('importId', ResourceId) id: string) {
    return this.#render(await this.imports.get(project, id));
  }

  @Post(':importId/run')
  @Operation({
    id: 'runImport',
    summary: 'Run an import',
    description:
      'Reserves the quota for all links that the dry run predicts, and begins the run. Rows are processed in their order; each one ' +
      'exactly once, also if processes or the database stop meanwhile. A row that breaks a released version of an app is refused if ' +
      '`release_guard` is `refuse` and `acknowledge` lacks the version. Its problems name the version otherwise.',
    success: { status: 202, type: ImportResponse },
    errors: ['QUOTA', 'IMPORT_STATE'],
  })
  async run(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Param('importId', ResourceId) id: string,
    @Query() { acknowledge }: AcknowledgeQuery,
  ) {
    return this.#render(await this.imports.run(project, caller.plan, id, acknowledge));
  }

  @Post(':importId/cancel')
  @Operation({
    id: 'cancelImport',
    summary: 'Cancel an import',
    description:
      'Ends the dry run or the run. Links that the run has created stay. The rows are removed within a minute.',
    success: ImportResponse,
    errors: ['IMPORT_STATE'],
  })
  async cancel(@PathProject() project: Project, @Param('importId', ResourceId) id: string) {
    return this.#render(await this.imports.cancel(project, id));
  }

  @Delete(':importId')
  @Operation({
    summary: 'Delete an import',
    description:
      'Removes an import with its file and its rows, and ends it if it works. Links that it has created stay.',
    success: MessageResponse,
  })
  async delete(@PathProject() project: Project, @Param('importId', ResourceId) id: string) {
    await this.imports.delete(project, id);
    return message('The import was deleted');
  }

  @Get(':importId/rows')
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

  @Get(':importId/report')
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

  @Get(':importId/events')
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
    // Proxies such as nginx would keep events back.
    const headers = {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'private, no-store',
      'X-Accel-Buffering': 'no',
    };
    await this.#eventLimits.run(project.accountId, () =>
      streamText(response, this.#events(this.imports.watch(project, id, isOver)), headers),
    );
  }

  async *#events(jobs: AsyncIterable<Import | null>): AsyncGenerator<string> {
    for await (const job of jobs) {
      if (job === null) yield ': quiet\n\n';
      else {
        const event = job.isActive || job.state === 'uploading' ? 'progress' : 'done';
        yield `event: ${event}\ndata: ${JSON.stringify(ImportDto.of(job))}\n\n`;
      }
    }
  }

  #render(job: Import): ImportResponse {
    return { data: ImportDto.of(job) };
  }
}
