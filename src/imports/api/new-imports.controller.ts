import { Body, Controller, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Locations } from '../../api-kit/kit/locations';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { BodyFile, type ImportFile, mediaTypes } from './import-file.decorator';
import { CreateImportFromApiBody, listRequestOf } from './import-from-api.dto';
import { ImportDto, ImportResponse } from './imports.dto';
import { CreateImportQuery } from './imports-query.dto';
import { ImportsService } from './imports.service';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';

/** Files that an account, or all accounts, send to a process at once. Each keeps up to a megabyte in memory. */
export const maxUploads = { ofAccount: 5, ofProcess: 40 };

/** Limits uploads of files, because a slow client may take half an hour for one. */
export class UploadLimits extends ConcurrencyLimits {
  constructor() {
    // Most files are sent in seconds.
    super(maxUploads, () => new TooManyAtOnce(10, 'Too many files are being uploaded'));
  }
}

const exampleFromApi = {
  source: 'shlink',
  token: 'b1f0c2d3e4a59687',
  url: 'https://links.example.com',
  conflict: 'skip',
  options: { time_zone: 'Europe/Berlin' },
};

@ApiTags('Imports')
@Controller('api/v1/projects/:projectId/imports')
export class NewImportsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly locations: Locations,
    private readonly uploadLimits: UploadLimits,
  ) {}

  @Post()
  @ApiConsumes(...Object.keys(mediaTypes))
  @ApiBody({ schema: { type: 'string' } })
  @Operation({
    id: 'createImport',
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
  ) {
    const { source, conflict: conflictPolicy, options = {} } = query;
    const fields = { source, format, conflictPolicy, options };
    const job = await this.uploadLimits.run(caller.accountId, () =>
      this.imports.create(project, caller.plan, fields, chunks),
    );
    this.locations.created(response, `projects/${project.id}/imports/${job.id}`);
    return { data: ImportDto.of(job) };
  }

  @Post('from-api')
  // Fields of several systems exclude each other, so that no example has all of them.
  @ApiBody({ type: CreateImportFromApiBody, examples: { CreateImportFromApiBody: { value: exampleFromApi } } })
  @Operation({
    id: 'createImportFromApi',
    summary: 'Import the links of another system by its API',
    description:
      'Reads the list of links from the API of the other system, up to 1,000,000, and checks them like the rows of a file. The state is ' +
      '`uploading` meanwhile. The token is stored encrypted, and removed once the list has ended, after a day at the latest.',
    success: { status: 202, type: ImportResponse, located: true },
    errors: ['QUOTA'],
  })
  async createFromApi(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: CreateImportFromApiBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const list = listRequestOf(body);
    const { source, conflict: conflictPolicy = 'skip', options = {} } = body;
    const fields = { source, format: 'api' as const, conflictPolicy, options };
    const job = await this.imports.createFromApi(project, caller.plan, fields, list);
    this.locations.created(response, `projects/${project.id}/imports/${job.id}`);
    return { data: ImportDto.of(job) };
  }
}
