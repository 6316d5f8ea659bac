import { Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isEnding } from '../../platform/http/drain';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { fileHeaders } from '../../api-kit/kit/file-headers';
import { ListQuery } from '../../api-kit/kit/list-query';
import { Locations } from '../../api-kit/kit/locations';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { streamText } from '../../api-kit/kit/streamed-answer';
import { ExportLimits } from '../../links/export/export-limits';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import type { Import } from '../model/import';
import { EventLimits } from './event-limits';
import { BodyFile, type ImportFile, mediaTypes } from './import-file.decorator';
import {
  CreateImportQuery,
  ImportDto,
  ImportPage,
  ImportReportQuery,
  ImportResponse,
  ImportRowDto,
  ImportRowPage,
  ListImportRowsQuery,
} from './imports.dto';
import { ImportsService } from './imports.service';
import { UploadLimits } from './upload-limits';

@ApiTags('Imports')
@Controller('api/v1/projects/:projectId/imports')
export class ImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly locations: Locations,
    private readonly limits: EventLimits,
    private readonly exportLimits: ExportLimits,
    private readonly uploadLimits: UploadLimits,
  ) {}

  @Get()
  @Operation({
    summary: 'List imports',
    description: 'Returns the imports of the last 30 days, at most 20.',
    success: ImportPage,
    errors: ['TOO_EXPENSIVE'],
  })
  async list(@PathProject() project: Project, @Query() query: ListQuery): Promise<ImportPage> {
    return page(await this.imports.list(project, query), query, (job) => ImportDto.of(job));
  }

  @Post()
  @ApiConsumes(...Object.keys(mediaTypes))
  @ApiBody({ schema: { type: 'string' } })
  @Operation({
    summary: 'Upload a file and check it',
    description:
      'Stores the file, up to 200 MB or 1,000,000 rows. Then a dry run reads it, and finds out what each row would do; `run` does it. ' +
      'The body is CSV with a header, a JSON array of objects, or a JSON object on each line, in UTF-8 and not compressed. ' +
      'A file whose first 256 kB are of no such form is refused, and nothing is stored. A later fault is the outcome of its row, or ends ' +
      'the import.',
    success: { status: 202, type: ImportResponse, located: true },
    errors: ['QUOTA', 'IMPORT_STATE'],
  })
  async create(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @BodyFile() { format, chunks }: ImportFile,
    @Query() query: CreateImportQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportResponse> {
    const { source, conflict: conflictPolicy, options = {} } = query;
    const fields = { source, format, conflictPolicy, options };
    const job = await this.uploadLimits.run(caller.accountId, () =>
      this.imports.create(project, caller.plan, fields, chunks),
    );
    this.locations.created(response, `projects/${project.id}/imports/${job.id}`);
    return this.#render(job);
  }

  @Get(':importId')
  @Operation({
    summary: 'Get an import',
    description: 'Returns the state, the progress, the remaining time, missing apps, and fields without a place.',
    success: { type: ImportResponse, tagged: true },
  })
  async get(@PathProject() project: Project, @Param('importId', ResourceId) id: string): Promise<ImportResponse> {
    return this.#render(await this.imports.get(project, id));
  }

  @Post(':importId/run')
  @Operation({
    id: 'runImport',
    summary: 'Run an import',
    description:
      'Reserves the quota for all links that the dry run predicts, and begins the run. Rows are processed in their order; each one ' +
      'exactly once, also if processes or the database stop meanwhile.',
    success: { status: 202, type: ImportResponse },
    errors: ['QUOTA', 'IMPORT_STATE'],
  })
  async run(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Param('importId', ResourceId) id: string,
  ): Promise<ImportResponse> {
    return this.#render(await this.imports.run(project, caller.plan, id));
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
  async cancel(@PathProject() project: Project, @Param('importId', ResourceId) id: string): Promise<ImportResponse> {
    return this.#render(await this.imports.cancel(project, id));
  }

  @Delete(':importId')
  @Operation({
    summary: 'Delete an import',
    description:
      'Removes an import with its file and its rows, and ends it if it works. Links that it has created stay.',
    success: MessageResponse,
  })
  async delete(@PathProject() project: Project, @Param('importId', ResourceId) id: string): Promise<MessageResponse> {
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
  ): Promise<ImportRowPage> {
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
    await this.limits.run(project.accountId, () =>
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
