import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { csvRecord } from '../../api-kit/kit/csv';
import { IsMoment, IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { fileHeaders } from '../../api-kit/kit/file-headers';
import { optionally } from '../../api-kit/kit/rule.decorator';
import { streamText } from '../../api-kit/kit/streamed-answer';
import { CountsOperations, TakesLargeBody } from '../../api-kit/kit/route-markers';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import type { Caller } from '../../tenancy/accounts/caller';
import { ExportLimits } from '../../tenancy/accounts/export-limits';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import { maxConversions, maxUntrusted } from './conversion';
import {
  type ConversionFormat,
  conversionExample,
  conversionFormats,
  PgConversionExport,
} from './pg-conversion-export';
import { ConversionResultsDto, ConversionsResponse, readConversions, SendConversionsBody } from './conversions.dto';
import { ConversionsService } from './conversions.service';

/** Bytes. A thousand conversions with keys of 200 characters have some 400,000. */
export const maxConversionBytes = 1_000_000;

/** Counts a body with too many conversions as one request, because it is refused. */
function countConversions({ items }: { items?: unknown }): number {
  return Array.isArray(items) && items.length <= maxConversions ? items.length : 1;
}

class ExportConversionsQuery {
  @IsMoment(
    optionally('Start of the period, included. Default: all conversions that are kept.', '2026-06-01T00:00:00Z'),
  )
  from?: number;

  @IsMoment(optionally('End of the period, excluded. Default: all.', '2026-07-01T00:00:00Z'))
  to?: number;

  @IsQueryChoice(conversionFormats, {
    default: 'csv',
    description: '`csv`: for spreadsheets. `ndjson`: one JSON object per line.',
  })
  format: ConversionFormat;
}

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

const fileExamples = {
  'text/csv': csvRecord(Object.keys(conversionExample)) + csvRecord(Object.values(conversionExample) as string[]),
  'application/x-ndjson': `${JSON.stringify(conversionExample)}\n`,
};

/** The years that PostgreSQL and RFC 3339 can both write. */
const always = { from: Date.UTC(2000, 0), to: Date.UTC(9999, 11, 31) };

@ApiTags('Conversions')
@Controller('api/v1/projects/:projectId')
export class ConversionsController {
  constructor(
    private readonly service: ConversionsService,
    private readonly conversions: PgConversionExport,
    private readonly limits: ExportLimits,
    private readonly journal: PgJournalRepository,
  ) {}

  @Post('conversions')
  @HttpCode(200)
  @TakesLargeBody(maxConversionBytes)
  @CountsOperations(countConversions)
  @Operation({
    id: 'sendConversions',
    summary: 'Count conversions',
    description:
      `Counts up to ${maxConversions} conversions once each, by their keys, and returns a result for each in their order. So a request may be ` +
      'repeated as a whole. Each 100, rounded up, count as one request for the rate limit. A publishable key with the scope ' +
      `\`conversions:write\` sends at most ${maxUntrusted} for a click id and no refunds; they are counted apart, as untrusted. The journal ` +
      'has no entries of conversions.',
    success: ConversionsResponse,
  })
  async send(@PathProject() project: Project, @TheCaller() caller: Caller, @Body() body: SendConversionsBody) {
    const { read, outcomes } = await this.service.send(project, caller, await readConversions(body.items));
    return { data: ConversionResultsDto.of(read, outcomes) };
  }

  @Get('conversions/export')
  @Operation({
    id: 'exportConversions',
    summary: 'Export the conversions of a project',
    description:
      'Returns conversions and refunds in the order of their time. If the export cannot be completed, the connection closes before the end ' +
      'of the response. Each export is an entry of the audit log.',
    success: { files: fileExamples, description: 'The conversions, as a file.' },
  })
  async export(
    @PathProject() project: Project,
    @Query() { from = always.from, to = always.to, format }: ExportConversionsQuery,
    @Res() response: Response,
  ): Promise<void> {
    const headers = fileHeaders(mediaTypes[format], `conversions-${project.subdomain}.${format}`);
    await this.limits.run(project.accountId, async () => {
      await this.journal.addEvent(project.accountId, project.id, 'conversion.exported', { from, to, format });
      await streamText(response, this.conversions.write(project, new Date(from), new Date(to), format), headers);
    });
  }
}
