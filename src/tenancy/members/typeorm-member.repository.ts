import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { Member, RoleChanges } from './member';
import { MemberExists } from './member.errors';
import { MemberSchema } from './member.schema';

export type MemberName = { email: string } | { subject: string } | { userId: string };

const insertErrors = {
  members_email_unique: () => new MemberExists(),
  members_subject_unique: () => new MemberExists(),
  members_account_fk: () => new NotFound('Account'),
};

@Injectable()
export class TypeormMemberRepository {
  readonly #members: EntityRows<Member>;

  constructor(context: TransactionContext) {
    this.#members = new EntityRows(context, MemberSchema);
  }

  /** @throws MemberExists, and NotFound if the account does not exist */
  insert(member: Omit<Member, 'createdAt' | 'updatedAt'>): Promise<Member> {
    return this.#members.insert({ ...member }, insertErrors);
  }

  list(accountId: string, request: { page: number; limit: number }): Promise<Page<Member>> {
    return this.#members.newest({ accountId }, request);
  }

  find(accountId: string, id: string): Promise<Member | null> {
    return this.#members.find({ accountId, id });
  }

  findByName(accountId: string, name: MemberName): Promise<Member | null> {
    return this.#members.find({ accountId, ...name });
  }

  /** Counts the members of the account, or those with the role. */
  count(accountId: string, role?: 'owner'): Promise<number> {
    return this.#members.repository.countBy({ accountId, ...(role && { role }) });
  }

  /** Changes the named fields only. Returns null if the account has no such member. */
  update(accountId: string, id: string, changes: RoleChanges): Promise<Member | null> {
    return this.#members.update({ accountId, id }, changes);
  }

  async delete(accountId: string, id: string): Promise<void> {
    await this.#members.delete({ accountId, id });
  }
}
