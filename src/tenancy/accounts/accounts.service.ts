import { Injectable } from '@nestjs/common';
import { requireFound } from '../../shared/require-found';
import { newId } from '../../shared/id';
import { UnitOfWork } from '../../shared/unit-of-work';
import { ApprovalGate } from '../approvals/approval-gate';
import type { Account, AccountChanges, User } from './account';
import { AccountRepository } from './account.repository';
import type { Plan, Quotas } from './plan';
import { QuotaGate, type QuotaUsage } from './quotas';

export interface AccountWithUsage {
  account: Account;
  usage: Record<keyof Quotas, QuotaUsage>;
}

@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly quotas: QuotaGate,
    private readonly approvals: ApprovalGate,
  ) {}

  /** Creates an account and its first user, who owns what its keys create. */
  create(name: string, plan: Plan, email: string | null): Promise<{ account: Account; user: User }> {
    return this.unitOfWork.run(async () => {
      const account = await this.accounts.insert({ id: newId(), name, plan });
      const user = await this.accounts.insertUser({ id: newId(), accountId: account.id, email });
      return { account, user };
    });
  }

  /** Returns the accounts whose name contains the text, the oldest first; null for all. */
  list(name: string | null): Promise<Account[]> {
    return this.accounts.list(name);
  }

  /** @throws NotFound if the account does not exist */
  async update(id: string, changes: AccountChanges): Promise<Account> {
    return requireFound(await this.accounts.update(id, changes), 'Account');
  }

  /**
   * Changes the protection. Approvals need two owners.
   * @throws NotFound if the account does not exist, SecondOwnerRequired
   */
  protect(id: string, changes: AccountChanges): Promise<Account> {
    return this.unitOfWork.run(async () => {
      await this.accounts.lock(id);
      const account = await this.update(id, changes);
      if (changes.approvalRequired) await this.approvals.requireTwoOwners(id);
      return account;
    });
  }

  /** @throws NotFound if the account does not exist */
  async get(id: string): Promise<Account> {
    return requireFound(await this.accounts.find(id), 'Account');
  }

  /** @throws NotFound if the account does not exist */
  async getWithUsage(id: string): Promise<AccountWithUsage> {
    const account = await this.get(id);
    return { account, usage: await this.quotas.usageOf(id, account.plan) };
  }
}
