import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Locations } from '../../api-kit/kit/locations';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { CreateImportFromApiBody, listRequestOf } from './import-from-api.dto';
import { ImportDto, ImportResponse } from './imports.dto';
import { ImportsService } from './imports.service';

const example = {
  source: 'shlink',
  token: 'b1f0c2d3e4a59687',
  url: 'https://links.example.com',
  conflict: 'skip',
  options: { time_zone: 'Europe/Berlin' },
};

@ApiTags('Imports')
@Controller('api/v1/projects/:projectId/imports')
export class ImportFromApiController {
  constructor(
    private readonly imports: ImportsService,
    private readonly locations: Locations,
  ) {}

  @Post('from-api')
  // Fields of several systems exclude each other, so that no example has all of them.
  @ApiBody({ type: CreateImportFromApiBody, examples: { CreateImportFromApiBody: { value: example } } })
  @Operation({
    id: 'createImportFromApi',
    summary: 'Import the links of another system by its API',
    description:
      'Reads the list of links from the API of the other system, up to 1,000,000, and checks them like the rows of a file. The state is ' +
      '`uploading` meanwhile. The token is stored encrypted, and removed once the list has ended, after a day at the latest.',
    success: { status: 202, type: ImportResponse, located: true },
    errors: ['QUOTA'],
  })
  async create(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: CreateImportFromApiBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ImportResponse> {
    const list = listRequestOf(body);
    const { source, conflict: conflictPolicy = 'skip', options = {} } = body;
    const fields = { source, format: 'api' as const, conflictPolicy, options };
    const job = await this.imports.createFromApi(project, caller.plan, fields, list);
    this.locations.created(response, `projects/${project.id}/imports/${job.id}`);
    return { data: ImportDto.of(job) };
  }
}
