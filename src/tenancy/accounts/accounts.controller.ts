import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api-kit/openapi/operation';
import { ApprovalGate } from '../approvals/approval-gate';
import { TheCaller } from './the-caller.decorator';
import {
  AccountDto,
  AccountResponse,
  ProtectionDto,
  ProtectionResponse,
  toAccountChanges,
  UpdateProtectionBody,
} from './accounts.dto';
import { AccountsService } from './accounts.service';
import type { Caller } from './caller';

@ApiTags('Account')
@Controller('api/v1/account')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly approvals: ApprovalGate,
  ) {}

  @Get()
  @Operation({
    summary: 'Get the account',
    description:
      'Returns plan, features, quotas and usage of the account that the API key or token belongs to, and what the caller may do.',
    success: { type: AccountResponse, tagged: true },
  })
  async get(@TheCaller() caller: Caller) {
    return { data: AccountDto.of(await this.accounts.getWithUsage(caller.accountId), caller) };
  }

  @Get('protection')
  @Operation({
    id: 'getAccountProtection',
    summary: 'Get the protection of the account',
    success: { type: ProtectionResponse, tagged: true },
  })
  async getProtection(@TheCaller() { accountId }: Caller) {
    return { data: ProtectionDto.render(await this.accounts.get(accountId)) };
  }

  @Put('protection')
  @Operation({
    id: 'updateAccountProtection',
    summary: 'Update the protection of the account',
    description:
      'Stops all changes, and limits the age of API keys. Only the fields present in the body change; null removes a limit. Every replica ' +
      'applies them within one second. This operation is possible while the account is frozen.',
    success: ProtectionResponse,
    errors: ['LAST_OWNER', 'APPROVAL_REQUIRED'],
  })
  async updateProtection(@TheCaller() { accountId }: Caller, @Body() body: UpdateProtectionBody) {
    const changes = toAccountChanges(body);
    if (changes.approvalRequired === false)
      await this.approvals.require(accountId, { operation: 'updateAccountProtection', body: changes });
    return { data: ProtectionDto.render(await this.accounts.protect(accountId, changes)) };
  }
}
