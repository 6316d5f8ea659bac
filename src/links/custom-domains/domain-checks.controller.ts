import { Controller, Get, Header, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api-kit/openapi/operation';
import { PathProject } from '../projects/path-project.decorator';
import { ResourceId } from '../../api-kit/kit/resource-id';
import type { Project } from '../projects/project';
import { CustomDomainDto, CustomDomainResponse } from './custom-domains.dto';
import { DomainRecordsDto, DomainRecordsQuery, DomainRecordsResponse } from './domain-records.dto';
import { CustomDomainsService } from './custom-domains.service';

@ApiTags('Custom domains')
@Controller('api/v1/projects/:projectId/custom-domains')
export class DomainChecksController {
  constructor(private readonly domains: CustomDomainsService) {}

  @Get(':domainId/records')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'checkCustomDomain',
    summary: 'Check the DNS records of a custom domain',
    description:
      'Looks up both records that the domain needs: the TXT record that proves it, and the record that leads visitors to the ' +
      'service. With `probe`, the service also visits the domain as people do. The operation changes nothing.',
    success: DomainRecordsResponse,
  })
  async records(
    @PathProject() project: Project,
    @Param('domainId', ResourceId) id: string,
    @Query() { probe }: DomainRecordsQuery,
  ) {
    return { data: DomainRecordsDto.of(await this.domains.checkRecords(project, id, probe)) };
  }

  // No Idempotency-Key, because a client that repeats the request wants a new check. A transaction around it would also hold a
  // connection while a DNS server does not answer.
  @Post(':domainId/verify')
  @Operation({
    id: 'verifyCustomDomain',
    summary: 'Verify a custom domain',
    description:
      'Looks up the TXT record immediately. The project answers on a verified domain before its links use it, so that DNS and ' +
      'TLS can be tested. The operation takes no body.',
    success: CustomDomainResponse,
    errors: ['DOMAIN_NOT_VERIFIED', 'DOMAIN_TAKEN'],
  })
  async verify(@PathProject() project: Project, @Param('domainId', ResourceId) id: string) {
    return { data: CustomDomainDto.of(await this.domains.verify(project, id)) };
  }
}
