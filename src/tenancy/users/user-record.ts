import type { Role } from '../../api-kit/policy/policy';

/** The data that the service has of a person. */
export interface UserRecord {
  id: string;
  email: string | null;
  createdAt: Date;
  /** Names of the person at identity providers. */
  identities: { issuer: string; subject: string; created_at: string }[];
  /** The member that the person is; null if none. */
  member: { id: string; email: string | null; subject: string | null; role: Role | null } | null;
  /** API keys that act for the person. */
  apiKeys: { id: string; name: string }[];
  /** Projects that the person created. */
  projectIds: string[];
  /** Number of entries of the journal that name the person. */
  journalEntries: number;
  /** Network addresses in these entries. */
  addresses: string[];
}
