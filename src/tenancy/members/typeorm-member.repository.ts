import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { Member, RoleChanges } from './member';
import { MemberExists } from './member.errors';
import { type MemberName, MemberRepository } from './member.repository';
import { MemberSchema } from './member.schema';

const insertErrors = {
  members_email_unique: () => new MemberExists(),
  members_subject_unique: () => new MemberExists(),
  members_account_fk: () => new NotFound('Account'),
};

@Injectable()
export class TypeormMemberRepository implements MemberRepository {
  readonly #members: EntityRows<Member>;

  constructor(context: TransactionContext) {
    this.#members = new EntityRows(context, MemberSchema);
  }

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

  count(accountId: string, role?: 'owner'): Promise<number> {
    return this.#members.repository.countBy({ accountId, ...(role && { role }) });
  }

  update(accountId: string, id: string, changes: RoleChanges): Promise<Member | null> {
    return this.#members.update({ accountId, id }, changes);
  }

  async delete(accountId: string, id: string): Promise<void> {
    await this.#members.delete({ accountId, id });
  }
}
