import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Account, User } from './account';
import { AccountRepository } from './account.repository';
import type { Plan, Quotas } from './plan';
import { QuotaGate, type Use } from './quotas';

export interface AccountInUse {
  account: Account;
  use: Record<keyof Quotas, Use>;
}

@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly quotas: QuotaGate,
  ) {}

  /** A new account and its owner, the user that everything made with the account's keys belongs to. */
  create(name: string, plan: Plan, email: string | null): Promise<{ account: Account; user: User }> {
    return this.unitOfWork.run(async () => {
      const account = await this.accounts.insert({ id: newId(), name, plan });
      const user = await this.accounts.insertUser({ id: newId(), accountId: account.id, email });
      return { account, user };
    });
  }

  /** @throws NotFound when the account does not exist. */
  async setPlan(id: string, plan: Plan): Promise<Account> {
    const account = await this.accounts.setPlan(id, plan);
    if (!account) throw new NotFound('Account');
    return account;
  }

  /** @throws NotFound when the account does not exist. */
  async inUse(id: string): Promise<AccountInUse> {
    const account = await this.accounts.find(id);
    if (!account) throw new NotFound('Account');
    return { account, use: await this.quotas.use(id, account.plan) };
  }
}
