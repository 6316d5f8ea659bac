import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../api-kit/openapi/operation';
import { TheCaller } from './the-caller.decorator';
import { AccountDto, AccountResponse } from './accounts.dto';
import { AccountsService } from './accounts.service';
import type { Caller } from './caller';

@ApiTags('Account')
@Controller('api/v1/account')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get()
  @Operation({
    summary: 'Get the account',
    description: 'Returns plan, features, quotas and usage of the account that the API key or token belongs to.',
    success: { type: AccountResponse, tagged: true },
  })
  async get(@TheCaller() caller: Caller) {
    return { data: AccountDto.of(await this.accounts.getWithUsage(caller.accountId), caller.userId) };
  }
}
