import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { csvRecord } from '../../api-kit/kit/csv';
import { fileHeaders } from '../../api-kit/kit/file-headers';
import { streamText } from '../../api-kit/kit/streamed-answer';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import { ExportLimits } from '../../tenancy/accounts/export-limits';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import { ExportLinksQuery } from './link-export.dto';
import { LinkExportService } from './link-export.service';
import { csvColumns, delimiters, linkFormats } from './link-formats';

const example: Record<string, string | boolean> = {
  id: '0198c0de-7e57-7000-8000-000000000002',
  name: 'Summer sale',
  full_url: 'https://summer.go.example.com/sale',
  custom_path: 'sale',
  desktop_url: 'https://shop.example.com/sale',
  ios_deferred_deep_link: false,
  archived: false,
  disabled: false,
  created_at: '2026-06-01T12:30:45.678Z',
  updated_at: '2026-06-01T12:30:45.678Z',
};

const fileExamples = {
  'text/csv': csvRecord(csvColumns) + csvRecord(csvColumns.map((column) => example[column] ?? null)),
  'application/x-ndjson': `${JSON.stringify(example)}\n`,
};

@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId/links/export')
export class LinkExportController {
  constructor(
    private readonly links: LinkExportService,
    private readonly limits: ExportLimits,
    private readonly journal: PgJournalRepository,
  ) {}

  @Get()
  @Operation({
    id: 'exportDynamicLinks',
    summary: 'Export all dynamic links',
    description:
      'Returns all links of the project, archived ones too, the oldest first. It is no snapshot: each link is in the state of the ' +
      'moment at which it is read. Links that exist from begin to end occur exactly once. If the export cannot be completed, ' +
      'the connection closes before the end of the response. Each export is an entry of the audit log.',
    success: { files: fileExamples, description: 'The links, as a file.' },
  })
  async export(
    @PathProject() project: Project,
    @Query() { format, delimiter }: ExportLinksQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { mediaType, extension } = linkFormats[format];
    const headers = fileHeaders(mediaType, `links-${project.subdomain}.${extension}`);
    await this.limits.run(project.accountId, async () => {
      await this.journal.addEvent(project.accountId, project.id, 'link.exported', { format });
      await streamText(response, this.links.write(project, format, delimiters[delimiter]), headers);
    });
  }
}
