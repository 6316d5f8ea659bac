import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IsQueryBoolean, IsResourceId } from '../../api-kit/kit/field.decorators';
import { parseInPath } from '../../api-kit/kit/resource-id';
import { optionally } from '../../api-kit/kit/rule.decorator';
import { answer, countAnswer } from '../../api-kit/kit/answer';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { EntryInPath, Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { JournalPage, JournalPageQuery, JournalQuery, sequenceRule } from '../../tenancy/journal/journal.dto';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import { HistoryService } from './history.service';

class RestoreBody {
  @IsResourceId(optionally('Restores only this resource of a batch.', '0198c0de-7e57-7000-8000-000000000002'))
  resource_id?: string;
}

class HistoryQuery extends JournalPageQuery {
  @IsQueryBoolean({
    default: false,
    description: 'Only deletions of the last 30 days that can be restored, and are not restored yet.',
  })
  restorable: boolean;
}

class Restored extends answer({ restored: countAnswer('Number of resources that have their former values.', 1) }) {}
class RestoredResponse extends dataOf(Restored) {}

@ApiTags('Projects')
@Controller('api/v1/projects/:projectId/history')
export class HistoryController {
  constructor(
    private readonly journal: PgJournalRepository,
    private readonly history: HistoryService,
  ) {}

  @Get()
  @Operation({
    id: 'listHistoryEntries',
    summary: 'List the history of a project',
    description:
      'Returns the changes of the project and of its links, apps, domains, tags and imports, newest first. Send `resource_id` for the ' +
      'history of one of them, and `restorable=true` for what was deleted and can be restored.',
    success: JournalPage,
  })
  async list(@PathProject() { accountId, id }: Project, @Query() query: HistoryQuery) {
    const filter = { ...JournalQuery.filterOf(query), projectId: id, restorable: query.restorable };
    return JournalPage.of(
      await this.journal.list(accountId, filter, query.cursor ?? null, query.limit + 1),
      query.limit,
    );
  }

  @Post(':sequence/restore')
  @Idempotent()
  @EntryInPath(sequenceRule.schema)
  @Operation({
    id: 'restoreHistoryEntry',
    summary: 'Undo a change',
    description:
      'Sets the fields that the entry changed back to their former values. Deleted links, short links and apps are created again, with ' +
      'their ids and statistics. The service does not reserve the names of deleted resources: if another resource has a name now, the ' +
      'request is refused. The undoing is an entry itself.',
    success: RestoredResponse,
    errors: [
      'DESTINATION_REFUSED',
      'FORBIDDEN_PLAN',
      'QUOTA',
      'CUSTOM_PATH_EXISTS',
      'EXTERNAL_ID_EXISTS',
      'BUNDLE_ID_EXISTS',
      'PACKAGE_NAME_EXISTS',
    ],
  })
  async restore(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Param('sequence') number: string,
    @Body() { resource_id }: RestoreBody,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    const sequence = parseInPath('sequence', sequenceRule, number);
    const acknowledgement = acknowledgementOf(query, response);
    const restored = await this.history.restore(project, caller, sequence, resource_id ?? null, acknowledgement);
    return { data: { restored } };
  }
}
