import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { IfMatch, unchangedSince } from '../../api-kit/kit/if-match';
import { PageQuery } from '../../api-kit/kit/list-query';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import type { Precondition } from '../../shared/precondition';
import type { Caller } from '../accounts/caller';
import { TheCaller } from '../accounts/the-caller.decorator';
import { ApprovalGate } from '../approvals/approval-gate';
import { Idempotent } from '../idempotency/idempotent.decorator';
import {
  CreateMemberBody,
  MemberDto,
  MemberPage,
  MemberResponse,
  toRoleChanges,
  UpdateMemberBody,
} from './members.dto';
import type { Member } from './member';
import { MembersService } from './members.service';

@ApiTags('Members')
@Controller('api/v1/account/members')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly approvals: ApprovalGate,
  ) {}

  @Get()
  @Operation({ summary: 'List members', description: 'Newest members come first.', success: MemberPage })
  async list(@TheCaller() caller: Caller, @Query() query: PageQuery) {
    return page(await this.members.list(caller.accountId, query), query, MemberDto.render);
  }

  @Post()
  @Idempotent()
  @Operation({
    summary: 'Invite a member',
    description:
      'The first sign-in with the subject or the address binds the member to that person. The first member of an account must be an ' +
      'owner: before, everyone who signs in is one. Roles count if the service takes them from members.',
    success: { status: 201, type: MemberResponse },
    errors: ['QUOTA', 'NOT_FOUND', 'FORBIDDEN_CROSS_SCOPE', 'MEMBER_EXISTS', 'LAST_OWNER', 'APPROVAL_REQUIRED'],
  })
  async create(@TheCaller() caller: Caller, @Body() body: CreateMemberBody) {
    const values = CreateMemberBody.toValues(body);
    await this.approvals.require(caller.accountId, { operation: 'createMember', body: values });
    return { data: MemberDto.render(await this.members.create(caller, values)) };
  }

  @Get(':memberId')
  @Operation({ summary: 'Get a member', success: { type: MemberResponse, tagged: true } })
  async get(@TheCaller() caller: Caller, @Param('memberId', ResourceId) id: string) {
    return { data: MemberDto.render(await this.members.get(caller.accountId, id)) };
  }

  @Put(':memberId')
  @Operation({
    summary: 'Change the roles of a member',
    description:
      'Only the fields present in the body change. Only owners make and change owners. Every replica applies the roles within one second.',
    success: MemberResponse,
    errors: ['NOT_FOUND', 'FORBIDDEN_CROSS_SCOPE', 'LAST_OWNER', 'APPROVAL_REQUIRED'],
  })
  async update(
    @TheCaller() caller: Caller,
    @Param('memberId', ResourceId) id: string,
    @Body() body: UpdateMemberBody,
    @IfMatch() ifMatch?: string,
  ) {
    const precondition = unchangedSince(ifMatch, MemberDto.render);
    const changes = toRoleChanges(body);
    await this.#requireApproval(caller, { operation: 'updateMember', resourceId: id, body: changes }, precondition);
    return { data: MemberDto.render(await this.members.update(caller, id, changes, precondition)) };
  }

  @Delete(':memberId')
  @Operation({
    summary: 'Remove a member',
    description:
      'The person has no role within one second on every replica. API keys that the person created stay valid.',
    success: MessageResponse,
    errors: ['LAST_OWNER', 'APPROVAL_REQUIRED'],
  })
  async delete(@TheCaller() caller: Caller, @Param('memberId', ResourceId) id: string, @IfMatch() ifMatch?: string) {
    const precondition = unchangedSince(ifMatch, MemberDto.render);
    await this.#requireApproval(caller, { operation: 'deleteMember', resourceId: id }, precondition);
    await this.members.delete(caller, id, precondition);
    return message('Member removed');
  }

  #requireApproval(
    { accountId }: Caller,
    change: { operation: 'updateMember' | 'deleteMember'; resourceId: string; body?: object },
    precondition: Precondition<Member> | undefined,
  ): Promise<void> {
    return this.approvals.require(accountId, change, async () => {
      const member = await this.members.get(accountId, change.resourceId);
      precondition?.(member);
    });
  }
}
