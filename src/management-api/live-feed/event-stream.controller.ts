import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';
import { eventStreamHeaders, streamText } from '../../api-kit/kit/streamed-answer';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { isEnding } from '../../platform/http/drain';
import { cloudEventOf } from '../../tenancy/webhooks/webhook-event';
import { EventStream } from './event-stream';

/** Streams that an account, and a process, have at once. Each reads the database once a second. */
export const maxEventStreams = { ofAccount: 5, ofProcess: 50 };

export class EventStreamLimits extends ConcurrencyLimits {
  constructor() {
    super(maxEventStreams, () => new TooManyAtOnce(1, 'Too many streams of events are open'));
  }
}

@ApiTags('Projects')
@Controller('api/v1/projects/:projectId/events')
export class EventStreamController {
  constructor(
    private readonly stream: EventStream,
    private readonly limits: EventStreamLimits,
  ) {}

  @Get('stream')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The last event that the client has. Later ones follow. Without it, the stream begins now.',
    schema: { type: 'string', example: '4711' },
  })
  @Operation({
    id: 'getProjectEventStream',
    summary: 'Follow the events of a project',
    description:
      'Sends server-sent events: what changes in the project, as webhooks send it. The `id` is the number of the event, so a client ' +
      'that connects again continues where it was. The stream ends after five minutes at the latest; clients connect again.',
    success: {
      files: { 'text/event-stream': 'id: 4712\nevent: link.updated\ndata: {"specversion":"1.0","id":"4712"}\n\n' },
      description: 'Events, whose data is an event of CloudEvents 1.0 as JSON.',
      isUnnamed: true,
    },
  })
  async follow(
    @PathProject() project: Project,
    @Headers('last-event-id') lastId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const isOver = () => response.destroyed || isEnding(response);
    // A text that is no number begins now. A browser repeats what it was sent.
    const last = /^[0-9]{1,15}$/.test(lastId ?? '') ? Number(lastId) : null;
    const texts = this.#texts(project, last, isOver);
    await this.limits.run(project.accountId, () => streamText(response, texts, eventStreamHeaders));
  }

  async *#texts(project: Project, last: number | null, isOver: () => boolean): AsyncGenerator<string> {
    for await (const { events, upTo } of this.stream.follow(project, last, isOver)) {
      // Without data, it is no event for the client, but the id from which it continues.
      if (events.length === 0) yield `id: ${upTo}\n\n`;
      for (const event of events)
        yield `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(cloudEventOf(event, project.accountId))}\n\n`;
    }
  }
}
