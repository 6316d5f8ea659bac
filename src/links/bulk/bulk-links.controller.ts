import { Body, Controller, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { AccessJournal, refusedOperations } from '../../tenancy/journal/access-journal';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { CountsOperations, TakesLargeBody } from '../../api-kit/kit/route-markers';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import type { Project } from '../projects/project';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import { maxFilteredLinks } from './bulk-action';
import { BulkByFilterBody, BulkByFilterDto, BulkByFilterResponse } from './bulk-by-filter.dto';
import { BulkByFilterService } from './bulk-by-filter.service';
import { BulkLinksBody, BulkResponse, BulkResultsDto, readOperations } from './bulk-links.dto';
import { BulkLinksService } from './bulk-links.service';
import { maxBulkOperations } from './bulk-operation';

/** Bytes. A thousand links with ten fields have half of it. */
export const maxBulkBytes = 2_000_000;

/** Counts a body with too many operations as one request, because it is refused. */
function countOperations({ operations }: { operations?: unknown }): number {
  return Array.isArray(operations) && operations.length <= maxBulkOperations ? operations.length : 1;
}

/** Counts the links that one request changes. An invalid number counts as one request, because it is refused. */
function countExpected({ expected_count: count }: { expected_count?: unknown }): number {
  return typeof count === 'number' && count > 0 ? Math.min(count, maxFilteredLinks) : 1;
}

@ApiTags('Dynamic links')
@Controller('api/v1/projects/:projectId/links/bulk')
export class BulkLinksController {
  constructor(
    private readonly links: BulkLinksService,
    private readonly byFilter: BulkByFilterService,
    private readonly hosts: LinkHosts,
    private readonly access: AccessJournal,
  ) {}

  @Post()
  @TakesLargeBody(maxBulkBytes)
  @CountsOperations(countOperations)
  @Idempotent()
  @Operation({
    id: 'changeDynamicLinks',
    summary: 'Create, update and delete many dynamic links',
    description:
      'Runs up to 1,000 operations in one transaction, and returns a result for each in their order. An operation has the rules and ' +
      'errors of a single one. One that fails changes nothing, and with `atomic` none of the others does. The body has at most 2 MB. ' +
      'Each 100 operations, rounded up, count as one request for the rate limit.',
    success: BulkResponse,
    errors: ['BULK_REFUSED'],
  })
  async run(
    @PathProject() project: Project,
    @TheCaller() caller: Caller,
    @Body() body: BulkLinksBody,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    const operations = await readOperations(body.operations);
    const acknowledgement = acknowledgementOf(query, response);
    const results = await this.links.run(project, caller.plan, operations, body.atomic ?? false, acknowledgement);
    const errors = results.flatMap((result) => ('error' in result ? result.error : []));
    const refused = refusedOperations('changeDynamicLinks', errors);
    if (refused) await this.access.recordRefusal(caller, project.id, refused);
    return { data: await BulkResultsDto.of(results, (link) => this.hosts.urlOf(project, link.customPath)) };
  }

  @Post('by-filter')
  @CountsOperations(countExpected)
  @Idempotent()
  @Operation({
    id: 'changeMatchingDynamicLinks',
    summary: 'Change or delete the dynamic links that a filter finds',
    description:
      'Changes the links in one transaction if the filter finds as many as expected. It changes up to 2,000, the oldest first, and ' +
      'says how many remain. Each 100 links, rounded up, count as one request for the rate limit.',
    success: BulkByFilterResponse,
    errors: ['COUNT_MISMATCH', 'TOO_EXPENSIVE'],
  })
  async runByFilter(@PathProject() project: Project, @Body() body: BulkByFilterBody) {
    const { ids, expected_count: expected, after = null } = body;
    const filters = { ...body.filter, ids };
    const result = await this.byFilter.run(project, filters, BulkByFilterBody.toAction(body), expected, after);
    return { data: BulkByFilterDto.of(result) };
  }
}
