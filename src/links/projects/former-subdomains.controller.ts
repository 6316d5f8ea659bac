import { Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PageQuery } from '../../api-kit/kit/list-query';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation, SubdomainInPath } from '../../api-kit/openapi/operation';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import { FormerSubdomainDto, FormerSubdomainPage } from './projects.dto';
import { FormerSubdomainsService } from './former-subdomains.service';
import { PathProject } from './path-project.decorator';
import type { Project } from './project';
import { subdomainRule } from './subdomain';

@ApiTags('Projects')
@Controller('api/v1/projects/:projectId/former-subdomains')
export class FormerSubdomainsController {
  constructor(private readonly formerSubdomains: FormerSubdomainsService) {}

  @Get()
  @Operation({
    id: 'listFormerSubdomains',
    summary: 'List former subdomains',
    description:
      'The project still answers on each of them, so that links in sent messages and shipped apps work. Those that it left ' +
      'last come first. Their number is limited, to 20 by default.',
    success: FormerSubdomainPage,
  })
  async list(@PathProject() project: Project, @Query() query: PageQuery) {
    return page(await this.formerSubdomains.list(project, query), query, FormerSubdomainDto.of);
  }

  @Delete(':subdomain')
  @SubdomainInPath(subdomainRule.schema)
  @Operation({
    id: 'deleteFormerSubdomain',
    summary: 'Release a former subdomain',
    description:
      'All links on the subdomain stop working, on every replica within one second. Any account can take the subdomain ' +
      'immediately, and then receives its visitors. The operation cannot be undone.',
    success: MessageResponse,
  })
  async release(
    @PathProject() project: Project,
    @Param('subdomain') subdomain: string,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.formerSubdomains.release(project, subdomain, acknowledgementOf(query, response));
    return message('Former subdomain released');
  }
}
