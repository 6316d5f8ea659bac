import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { PageQuery } from '../../api-kit/kit/list-query';
import { Locations } from '../../api-kit/kit/locations';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { requirePolicy } from '../../api-kit/policy/policies';
import { assertPolicy } from '../../api-kit/policy/rights';
import { PathProject } from '../../links/projects/path-project.decorator';
import type { Project } from '../../links/projects/project';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { Idempotent } from '../../tenancy/idempotency/idempotent.decorator';
import { CreatedShareResponse, CreateShareBody, ShareDto, SharePage, ShareResponse } from './shares.dto';
import { SharesService } from './shares.service';

@ApiTags('Analytics')
@Controller('api/v1/projects/:projectId/shares')
export class SharesController {
  constructor(
    private readonly shares: SharesService,
    private readonly locations: Locations,
  ) {}

  @Get()
  @Operation({
    summary: 'List shared statistics',
    description: 'Newest shares come first. Expired ones are listed until they are deleted.',
    success: SharePage,
  })
  async list(@PathProject() project: Project, @Query() query: PageQuery) {
    return page(await this.shares.list(project, query), query, ShareDto.of);
  }

  @Post()
  @Idempotent({ secret: 'url' })
  @Operation({
    summary: 'Share statistics',
    description:
      'Creates a page with clicks per day, countries, platforms, referrers and links. Everybody can read it who has its address, ' +
      'until it ends or is deleted. An API key also needs the scope `analytics:read`.',
    success: { status: 201, type: CreatedShareResponse },
    errors: ['QUOTA', 'FORBIDDEN_CROSS_SCOPE'],
  })
  async create(@PathProject() project: Project, @TheCaller() caller: Caller, @Body() body: CreateShareBody) {
    assertPolicy(requirePolicy('getProjectAnalytics'), caller.rights, project.id);
    const { share, token } = await this.shares.create(project, caller.plan, {
      name: body.name,
      dynamicLinkId: body.dynamic_link_id ?? null,
      tagId: body.tag_id ?? null,
      timezone: body.timezone?.name ?? 'UTC',
      expiresAt: body.expires_at,
      password: body.password ?? null,
    });
    return { data: { ...ShareDto.of(share), url: this.locations.page(`shared/${token}`) } };
  }

  @Get(':shareId')
  @Operation({ summary: 'Get a share', success: { type: ShareResponse, tagged: true } })
  async get(@PathProject() project: Project, @Param('shareId', ResourceId) id: string) {
    return { data: ShareDto.of(await this.shares.get(project, id)) };
  }

  @Delete(':shareId')
  @Operation({ summary: 'Delete a share', description: 'Its page ends at once.', success: MessageResponse })
  async delete(@PathProject() project: Project, @Param('shareId', ResourceId) id: string, @IfMatch() ifMatch?: string) {
    await this.shares.revoke(project, id, unchangedSince(ifMatch, ShareDto.of));
    return message('Share deleted');
  }
}
