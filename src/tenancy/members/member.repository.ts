import type { Page } from '../../shared/page';
import type { Member, RoleChanges } from './member';

export type MemberName = { email: string } | { subject: string } | { userId: string };

export abstract class MemberRepository {
  /** @throws MemberExists, and NotFound if the account does not exist */
  abstract insert(member: Omit<Member, 'createdAt' | 'updatedAt'>): Promise<Member>;
  abstract list(accountId: string, request: { page: number; limit: number }): Promise<Page<Member>>;
  abstract find(accountId: string, id: string): Promise<Member | null>;
  abstract findByName(accountId: string, name: MemberName): Promise<Member | null>;
  /** Counts the members of the account, or those with the role. */
  abstract count(accountId: string, role?: 'owner'): Promise<number>;
  /** Changes the named fields only. Returns null if the account has no such member. */
  abstract update(accountId: string, id: string, changes: RoleChanges): Promise<Member | null>;
  abstract delete(accountId: string, id: string): Promise<void>;
}
