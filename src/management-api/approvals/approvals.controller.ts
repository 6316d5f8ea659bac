import { Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PageQuery } from '../../api-kit/kit/list-query';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import { acknowledgementOf, AcknowledgeQuery } from '../../link-paths/release-guard/release-acknowledgement';
import type { Caller } from '../../tenancy/accounts/caller';
import { TheCaller } from '../../tenancy/accounts/the-caller.decorator';
import { ApprovalDto, ApprovalPage, ApprovalResponse } from './approvals.dto';
import { ApprovalsService } from './approvals.service';

@ApiTags('Approvals')
@Controller('api/v1/account/approvals')
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  @Get()
  @Operation({ summary: 'List approvals', description: 'The newest come first.', success: ApprovalPage })
  async list(@TheCaller() { accountId }: Caller, @Query() query: PageQuery) {
    return page(await this.approvals.list(accountId, query), query, ApprovalDto.of);
  }

  @Get(':approvalId')
  @Operation({ summary: 'Get an approval', success: { type: ApprovalResponse, tagged: true } })
  async get(@TheCaller() { accountId }: Caller, @Param('approvalId', ResourceId) id: string) {
    return { data: ApprovalDto.of(await this.approvals.get(accountId, id)) };
  }

  @Post(':approvalId/approve')
  @HttpCode(200)
  @Operation({
    summary: 'Approve a change',
    description:
      'Makes the change, once. It needs a person who has not requested it and has the role that the operation requires. If the change ' +
      'is not possible any more, the answer is its error, and the approval stays pending.',
    success: ApprovalResponse,
    errors: ['APPROVAL_STATE', 'LAST_OWNER', 'MEMBER_EXISTS', 'QUOTA', 'FORBIDDEN_CROSS_SCOPE'],
  })
  async approve(
    @TheCaller() caller: Caller,
    @Param('approvalId', ResourceId) id: string,
    @Query() query: AcknowledgeQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    return { data: ApprovalDto.of(await this.approvals.approve(caller, id, acknowledgementOf(query, response))) };
  }

  @Post(':approvalId/refuse')
  @HttpCode(200)
  @Operation({
    summary: 'Refuse a change',
    description: 'Nothing changes. The person who has requested it withdraws it in this way.',
    success: ApprovalResponse,
    errors: ['APPROVAL_STATE'],
  })
  async refuse(@TheCaller() caller: Caller, @Param('approvalId', ResourceId) id: string) {
    return { data: ApprovalDto.of(await this.approvals.refuse(caller, id)) };
  }
}
