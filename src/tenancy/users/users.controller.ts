import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PageQuery } from '../../api-kit/kit/list-query';
import { ResourceId } from '../../api-kit/kit/resource-id';
import { message, MessageResponse, page } from '../../api-kit/openapi/envelopes';
import { Operation } from '../../api-kit/openapi/operation';
import type { Caller } from '../accounts/caller';
import { TheCaller } from '../accounts/the-caller.decorator';
import { ApprovalGate } from '../approvals/approval-gate';
import { UserDataDto, UserDataResponse, UserDto, UserPage } from './users.dto';
import { UsersService } from './users.service';

@ApiTags('Account')
@Controller('api/v1/account/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly approvals: ApprovalGate,
  ) {}

  @Get()
  @Operation({
    summary: 'List users',
    description: 'Returns the people who have signed in, and the first user of the account. The newest come first.',
    success: UserPage,
  })
  async list(@TheCaller() { accountId }: Caller, @Query() query: PageQuery) {
    return page(await this.users.list(accountId, query), query, UserDto.render);
  }

  @Get(':userId')
  @Operation({
    summary: 'Get a user with all personal data',
    description: 'Returns all that the service keeps of a person. The audit log gets an entry.',
    success: { type: UserDataResponse, tagged: true },
  })
  async get(@TheCaller() { accountId }: Caller, @Param('userId', ResourceId) id: string) {
    return { data: UserDataDto.render(await this.users.export(accountId, id)) };
  }

  @Delete(':userId')
  @Operation({
    summary: 'Erase a user',
    description:
      'Deletes the user with its names at identity providers and its roles. The audit log loses the network addresses, and keeps the ' +
      'id as a pseudonym. API keys and projects of the person stay. A person who signs in again becomes a new user. ' +
      'The operation cannot be undone.',
    success: MessageResponse,
    errors: ['LAST_OWNER', 'APPROVAL_REQUIRED'],
  })
  async delete(@TheCaller() caller: Caller, @Param('userId', ResourceId) id: string) {
    await this.approvals.require(caller.accountId, { operation: 'deleteUser', resourceId: id }, () =>
      this.users.requireUser(caller.accountId, id),
    );
    await this.users.erase(caller, id);
    return message('User erased');
  }
}
