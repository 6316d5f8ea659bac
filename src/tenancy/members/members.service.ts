import { Injectable } from '@nestjs/common';
import type { Role } from '../../api-kit/policy/policy';
import { RoleRequired } from '../../api-kit/policy/policy.errors';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import type { Precondition } from '../../shared/precondition';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../accounts/account.errors';
import { AccountRepository } from '../accounts/account.repository';
import type { Caller } from '../accounts/caller';
import { PgOwnProjectRepository } from '../accounts/pg-own-project.repository';
import { ApprovalGate } from '../approvals/approval-gate';
import type { Member, MemberValues, RoleChanges } from './member';
import { LastOwner } from './member.errors';
import { MemberRepository } from './member.repository';

/** Of one account. */
export const maxMembers = 1000;

/** Implements the management of members. Changes of one account run one after the other, so that it keeps an owner. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MemberRepository,
    private readonly accounts: AccountRepository,
    private readonly projects: PgOwnProjectRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly approvals: ApprovalGate,
  ) {}

  list(accountId: string, request: { page: number; limit: number }): Promise<Page<Member>> {
    return this.members.list(accountId, request);
  }

  /** @throws NotFound */
  async get(accountId: string, id: string): Promise<Member> {
    return requireFound(await this.members.find(accountId, id), 'Member');
  }

  /** @throws RoleRequired, NotFound, CrossScope, LimitReached, MemberExists, LastOwner */
  async create(caller: Caller, values: MemberValues): Promise<Member> {
    const { accountId, plan } = caller;
    requireOwner(caller, values.role);
    await this.projects.requireOwn(accountId, Object.keys(values.projectRoles ?? {}));
    return this.#changing(accountId, async () => {
      const used = await this.members.count(accountId);
      if (used >= maxMembers) throw new LimitReached('members', { limit: maxMembers, used, plan });
      return this.#insert(accountId, values);
    });
  }

  /** @throws NotFound, RoleRequired, CrossScope, LastOwner, and what the precondition throws */
  update(caller: Caller, id: string, changes: RoleChanges, precondition?: Precondition<Member>): Promise<Member> {
    const { accountId } = caller;
    return this.#changing(accountId, async () => {
      const member = await this.get(accountId, id);
      precondition?.(member);
      requireOwner(
        caller,
        changes.role === undefined || changes.role === member.role ? null : member.role,
        changes.role,
      );
      await this.projects.requireOwn(accountId, Object.keys(changes.projectRoles ?? {}));
      return requireFound(await this.members.update(accountId, id, changes), 'Member');
    });
  }

  /** @throws NotFound, RoleRequired, LastOwner, and what the precondition throws */
  delete(caller: Pick<Caller, 'accountId' | 'rights'>, id: string, precondition?: Precondition<Member>): Promise<void> {
    const { accountId } = caller;
    return this.#changing(accountId, async () => {
      const member = await this.get(accountId, id);
      precondition?.(member);
      requireOwner(caller, member.role);
      await this.members.delete(accountId, id);
    });
  }

  /**
   * Removes the member that a user is. Does nothing if the user is no member.
   * @throws RoleRequired, LastOwner
   */
  async deleteOfUser(caller: Pick<Caller, 'accountId' | 'rights'>, userId: string): Promise<void> {
    const member = await this.members.findByName(caller.accountId, { userId });
    if (member) await this.delete(caller, member.id);
  }

  /**
   * Gives a person the role, from the shell, regardless of who asks.
   * @throws NotFound if the account does not exist, LastOwner
   */
  setRole(accountId: string, name: { email: string } | { subject: string }, role: Role): Promise<Member> {
    return this.#changing(accountId, async () => {
      const member = await this.members.findByName(accountId, name);
      if (!member) return this.#insert(accountId, { ...name, role });
      return requireFound(await this.members.update(accountId, member.id, { role }), 'Member');
    });
  }

  #insert(accountId: string, values: MemberValues): Promise<Member> {
    const unset = { email: null, subject: null, role: null, projectRoles: {} };
    return this.members.insert({ ...unset, ...values, id: newId(), accountId, userId: null });
  }

  /** Runs a change that leaves the account with an owner, and with two who can approve changes if it requires that. */
  #changing<T>(accountId: string, change: () => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async () => {
      await this.accounts.lock(accountId);
      const changed = await change();
      if ((await this.members.count(accountId, 'owner')) === 0) throw new LastOwner();
      await this.approvals.requireTwoOwners(accountId);
      return changed;
    });
  }
}

/** @throws RoleRequired if one of the roles is that of an owner, and the caller has it not */
function requireOwner({ rights }: Pick<Caller, 'rights'>, ...changed: (Role | null | undefined)[]): void {
  if (changed.includes('owner') && rights.role !== 'owner') throw new RoleRequired('owner');
}
