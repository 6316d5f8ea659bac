import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { fileHeaders } from '../../api-kit/kit/file-headers';
import { IsResourceId } from '../../api-kit/kit/field.decorators';
import { optionally } from '../../api-kit/kit/rule.decorator';
import { streamText } from '../../api-kit/kit/streamed-answer';
import { Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../accounts/caller';
import { ExportLimits } from '../accounts/export-limits';
import { TheCaller } from '../accounts/the-caller.decorator';
import { JournalEntryDto, JournalPage, JournalPageQuery, JournalQuery } from './journal.dto';
import { linesOfJournal } from './journal-lines';
import { PgJournalRepository } from './pg-journal.repository';

const ofProject = optionally('Id of a project, also of a deleted one.', '0198c0de-7e57-7000-8000-000000000001');

class AuditLogQuery extends JournalPageQuery {
  @IsResourceId(ofProject)
  project_id?: string;
}

class ExportAuditLogQuery extends JournalQuery {
  @IsResourceId(ofProject)
  project_id?: string;
}

@ApiTags('Account')
@Controller('api/v1/account/audit-log')
export class AuditLogController {
  constructor(
    private readonly journal: PgJournalRepository,
    private readonly limits: ExportLimits,
  ) {}

  @Get()
  @Operation({
    id: 'listAuditLogEntries',
    summary: 'List the audit log',
    description:
      'Returns the changes of all resources of the account, newest first, with who made them. Each entry was written in the ' +
      'transaction of its change, so none is missing. Secrets are left out. Values are those of the database; `tag_ids` has ids of tags.',
    success: JournalPage,
  })
  async list(@TheCaller() { accountId }: Caller, @Query() query: AuditLogQuery) {
    const filter = { ...JournalQuery.filterOf(query), projectId: query.project_id };
    return JournalPage.of(
      await this.journal.list(accountId, filter, query.cursor ?? null, query.limit + 1),
      query.limit,
    );
  }

  @Get('export')
  @Operation({
    id: 'exportAuditLogEntries',
    summary: 'Export the audit log',
    description:
      'Returns entries as lines of JSON (NDJSON), newest first. Each line has the fields of an entry, and `rows` with the former and ' +
      'new values of each resource of a batch. If the export cannot be completed, the connection closes before the end of the response.',
    success: {
      files: {
        'application/x-ndjson': '{"sequence":4712,"at":"2026-06-01T12:30:45.678Z","type":"link.updated","version":1}\n',
      },
      description: 'The entries, as a file.',
    },
  })
  async export(@TheCaller() { accountId }: Caller, @Query() query: ExportAuditLogQuery, @Res() response: Response) {
    const filter = { ...JournalQuery.filterOf(query), projectId: query.project_id };
    const lines = linesOfJournal(this.journal, accountId, filter, JournalEntryDto.of);
    const headers = fileHeaders('application/x-ndjson', 'audit-log.ndjson');
    await this.limits.run(accountId, async () => {
      await this.journal.addEvent(accountId, null, 'audit_log.exported', query);
      await streamText(response, lines, headers);
    });
  }
}
