import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isEnding } from '../../platform/http/drain';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { streamText } from '../../api-kit/kit/streamed-answer';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import type { Import } from '../model/import';
import { ImportDto } from './imports.dto';
import { ImportsService } from './imports.service';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';

/** Streams of events that an account, and a process, have at once. Each reads the database twice a second. */
export const maxStreams = { ofAccount: 5, ofProcess: 50 };

/** Limits streams of events, because each lasts as long as its import. */
export class EventLimits extends ConcurrencyLimits {
  constructor() {
    super(maxStreams, () => new TooManyAtOnce(1, 'Too many streams of import events are open'));
  }
}

@ApiTags('Imports')
@Controller('api/v1/projects/:projectId/imports')
export class ImportEventsController {
  constructor(
    private readonly imports: ImportsService,
    private readonly limits: EventLimits,
  ) {}

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
}
