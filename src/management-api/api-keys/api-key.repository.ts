import type { Caller } from '../accounts/caller';
import type { Page } from '../../shared/page';
import type { ApiKey, NewApiKey } from './api-key';

/** Whom a key acts for, and until when (null: for ever). */
export interface KnownKey {
  caller: Caller & { apiKeyId: string };
  expiresAt: Date | null;
}

/** A live key is one that was not revoked; it may have expired. */
export abstract class ApiKeyRepository {
  /** Null where the key is unknown, revoked or expired. */
  abstract findCaller(digest: Buffer): Promise<KnownKey | null>;

  /** @throws NotFound when the account does not exist. */
  abstract insert(key: NewApiKey, digest: Buffer): Promise<ApiKey>;

  /** Oldest first, revoked and expired ones too. */
  abstract list(accountId: string): Promise<ApiKey[]>;

  /** Revoking twice keeps the first time. Null where there is no such key. */
  abstract revoke(id: string): Promise<ApiKey | null>;

  /** Newest first. */
  abstract listLive(accountId: string, request: { page: number; limit: number }): Promise<Page<ApiKey>>;
  abstract findLive(accountId: string, id: string): Promise<ApiKey | null>;
  /** As `findLive`, and nobody else changes it until the unit of work ends. */
  abstract findLiveForUpdate(accountId: string, id: string): Promise<ApiKey | null>;
  /** Null where the account has no such live key. */
  abstract updateLive(accountId: string, id: string, changes: { name?: string }): Promise<ApiKey | null>;
  /** False where the account has no such live key. */
  abstract revokeLive(accountId: string, id: string): Promise<boolean>;

  /** Moves the last use of each key forward to the given time, never back. */
  abstract touch(lastUses: ReadonlyMap<string, Date>): Promise<void>;
}
