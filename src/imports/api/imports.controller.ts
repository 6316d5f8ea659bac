import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { ListQuery } from '../../api-kit/kit/list-query';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import type { Import } from '../model/import';
import { ImportDto, ImportPage, ImportResponse } from './imports.dto';
import { ImportsService } from './imports.service';

@ApiTags('Imports')
@Controller('api/v1/projects/:projectId/imports')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

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

  #render(job: Import): ImportResponse {
    return { data: ImportDto.of(job) };
  }
}
