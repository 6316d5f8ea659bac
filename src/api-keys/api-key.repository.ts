import type { ApiKey, Caller } from './api-key';

export abstract class ApiKeyRepository {
  /** Whom the key acts for, and until when (null: for ever); null where the key is unknown, revoked or expired. */
  abstract findCaller(digest: Buffer): Promise<{ caller: Caller; expiresAt: Date | null } | null>;

  /** @throws NotFound when the account does not exist. */
  abstract insert(key: Omit<ApiKey, 'createdAt' | 'lastUsedAt' | 'revokedAt'>, digest: Buffer): Promise<ApiKey>;

  /** Oldest first, revoked and expired ones too. */
  abstract list(accountId: string): Promise<ApiKey[]>;

  /** Revoking twice keeps the first time. Null where there is no such key. */
  abstract revoke(id: string): Promise<ApiKey | null>;

  /** Moves the last use of each key forward to the given time, never back. */
  abstract touch(lastUses: ReadonlyMap<string, Date>): Promise<void>;
}
