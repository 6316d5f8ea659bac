import { propertyOf } from '../../shared/field-table';
import type { Account, User } from '../../tenancy/accounts/account';
import type { ApiKey } from '../../tenancy/api-keys/api-key';
import type { Member } from '../../tenancy/members/member';
import type { UserRecord } from '../../tenancy/users/user-record';

/** Returns the named fields, which have these names in the API. */
const shown = (value: object, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[propertyOf(name)]]));

export const shownAccount = (account: Account) =>
  shown(account, 'id', 'name', 'plan', 'created_at', 'frozen', 'disabled', 'approval_required');

export const shownUser = (user: Pick<User, 'id' | 'email' | 'createdAt'>) => shown(user, 'id', 'email', 'created_at');

export const shownUserData = (user: UserRecord) => ({
  ...shownUser(user),
  ...shown(user, 'identities', 'member', 'api_keys', 'project_ids', 'journal_entries', 'addresses'),
});

export const shownMember = (member: Member) =>
  shown(member, 'id', 'account_id', 'email', 'subject', 'role', 'created_at');

export const shownKey = (key: ApiKey) =>
  shown(key, 'id', 'account_id', 'name', 'prefix', 'created_at', 'last_used_at', 'expires_at', 'revoked_at');
