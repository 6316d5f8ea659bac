import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { readNewest } from '../../platform/tables/typeorm-page';
import { updateRow } from '../../platform/tables/update-row';
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
  constructor(private readonly context: TransactionContext) {}

  get #members(): Repository<Member> {
    return this.context.manager.getRepository(MemberSchema);
  }

  async insert(member: Omit<Member, 'createdAt' | 'updatedAt'>): Promise<Member> {
    const row = { ...member } as Member;
    await mapConstraintErrors(insertErrors, () => this.context.run(() => this.#members.insert(row)));
    return row;
  }

  list(accountId: string, request: { page: number; limit: number }): Promise<Page<Member>> {
    return readNewest(this.#members, { accountId }, request);
  }

  find(accountId: string, id: string): Promise<Member | null> {
    return this.#members.findOneBy({ accountId, id });
  }

  findByName(accountId: string, name: MemberName): Promise<Member | null> {
    return this.#members.findOneBy({ accountId, ...name });
  }

  count(accountId: string, role?: 'owner'): Promise<number> {
    return this.#members.countBy({ accountId, ...(role && { role }) });
  }

  update(accountId: string, id: string, changes: RoleChanges): Promise<Member | null> {
    return updateRow(this.context, MemberSchema, { accountId, id }, changes);
  }

  async delete(accountId: string, id: string): Promise<void> {
    await this.context.run(() => this.#members.delete({ accountId, id }));
  }
}
