import { Body, Controller, Delete, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../tenancy/accounts/caller';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { ApprovalGate } from '../../tenancy/approvals/approval-gate';
import { PathProject } from '../projects/path-project.decorator';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import type { Project } from '../projects/project';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import {
  AddCustomDomainBody,
  ChangedCustomDomainResponse,
  CustomDomainDto,
  CustomDomainPage,
  CustomDomainResponse,
  DomainWarningDto,
  ListCustomDomainsQuery,
  UpdateCustomDomainBody,
} from './custom-domains.dto';
import { CustomDomainsService } from './custom-domains.service';

@ApiTags('Custom domains')
@Controller('api/v1/projects/:projectId/custom-domains')
export class CustomDomainsController {
  constructor(
    private readonly domains: CustomDomainsService,
    private readonly approvals: ApprovalGate,
  ) {}

  @Get()
  @Operation({ summary: 'List custom domains', description: 'Newest domains come first.', success: CustomDomainPage })
  async list(@PathProject() project: Project, @Query() query: ListCustomDomainsQuery) {
    return page(await this.domains.list(project, query), query, CustomDomainDto.of);
  }

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Add a custom domain',
    description:
      'The response contains the TXT record that verifies the domain. Several projects can add the same host name; the first ' +
      'one to verify it gets it. A project can have at most ten custom domains, unless the service is configured otherwise.',
    success: { status: 201, type: CustomDomainResponse },
    errors: ['QUOTA', 'DOMAIN_EXISTS'],
  })
  async create(@PathProject() project: Project, @TheCaller() caller: Caller, @Body() body: AddCustomDomainBody) {
    return { data: CustomDomainDto.of(await this.domains.add(project, caller.plan, body.hostname)) };
  }

  @Get(':domainId')
  @Operation({ summary: 'Get a custom domain', success: { type: CustomDomainResponse, tagged: true } })
  async get(@PathProject() project: Project, @Param('domainId', ResourceId) id: string) {
    return { data: CustomDomainDto.of(await this.domains.get(project, id)) };
  }

  @Put(':domainId')
  @Operation({
    summary: 'Activate or deactivate a custom domain',
    description:
      'Activation changes the URL of every link of the project immediately. It deactivates the domain that was active before. The ' +
      'service then visits the domain for at most two seconds. If the project does not answer there, `warnings` says why. Check ' +
      'the records with `probe` before you activate a domain.',
    success: ChangedCustomDomainResponse,
    errors: ['DOMAIN_NOT_VERIFIED'],
  })
  async update(
    @PathProject() project: Project,
    @Body() body: UpdateCustomDomainBody,
    @Param('domainId', ResourceId) id: string,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, CustomDomainDto.of);
    const use = UpdateCustomDomainBody.toUse(body);
    const domain = await this.domains.setUse(project, id, use, precondition, acknowledgementOf(query, response));
    const answer = use.active ? await this.domains.answerOf(project, domain) : 'ok';
    return {
      data: CustomDomainDto.of(domain),
      ...(answer !== 'ok' && { warnings: [DomainWarningDto.of(domain, answer)] }),
    };
  }

  @Delete(':domainId')
  @Operation({
    summary: 'Remove a custom domain',
    description: 'The project stops answering on the domain. If the domain was active, links use the subdomain again.',
    success: MessageResponse,
    errors: ['APPROVAL_REQUIRED'],
  })
  async delete(
    @PathProject() project: Project,
    @Param('domainId', ResourceId) id: string,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, CustomDomainDto.of);
    const change = { operation: 'deleteCustomDomain', projectId: project.id, resourceId: id } as const;
    await this.approvals.require(project.accountId, change, () => this.domains.get(project, id).then(precondition));
    await this.domains.remove(project, id, precondition, acknowledgementOf(query, response));
    return message('Custom domain removed');
  }
}
