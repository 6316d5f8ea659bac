import type { Role } from '../../api-kit/policy/policy';
import type { User } from '../accounts/account';

export interface ListedUser extends User {
  /** At the identity provider; null before the first sign-in. */
  subject: string | null;
}

export interface UserRecord {
  id: string;
  email: string | null;
  createdAt: Date;
  identities: { issuer: string; subject: string; created_at: string }[];
  /** The member that the person is; null if none. */
  member: { id: string; email: string | null; subject: string | null; role: Role | null } | null;
  apiKeys: { id: string; name: string }[];
  projectIds: string[];
  journalEntries: number;
  addresses: string[];
}
