import type { Caller } from '../accounts/caller';
import type { Page } from '../../shared/page';
import type { ApiKey, ApiKeyChanges, NewApiKey } from './api-key';

/** The caller that a key authenticates, and the key's expiry. */
export interface KnownKey {
  caller: Caller & { apiKeyId: string };
  /** When the key expires by the clock of the database, as `performance.now()`; Infinity if it does not expire. */
  validUntilMs: number;
}

/** Stores API keys. A live key is not revoked; it may have expired. */
export abstract class ApiKeyRepository {
  /** Returns null if the key is unknown, revoked or expired. */
  abstract findCaller(digest: Buffer): Promise<KnownKey | null>;

  /** @throws NotFound if the account does not exist */
  abstract insert(key: NewApiKey, digest: Buffer): Promise<ApiKey>;

  /** Lists all keys, oldest first, including revoked and expired ones. */
  abstract list(accountId: string): Promise<ApiKey[]>;

  /** Lists live keys, newest first. */
  abstract listLive(accountId: string, request: { page: number; limit: number }): Promise<Page<ApiKey>>;
  abstract findLive(accountId: string, id: string): Promise<ApiKey | null>;
  /** Finds a live key, and locks it until the unit of work ends. */
  abstract findLiveForUpdate(accountId: string, id: string): Promise<ApiKey | null>;
  /** Finds a key of any account, live or not, and locks it until the unit of work ends. */
  abstract findForUpdate(id: string): Promise<ApiKey | null>;
  /** Changes the named fields only. Returns null if the account has no such key. */
  abstract update(accountId: string, id: string, changes: ApiKeyChanges): Promise<ApiKey | null>;

  /**
   * Moves the last use of each key forward to the minute of the use by the clock of the database, never back.
   * @param lastUses times of uses, by `performance.now`
   */
  abstract touch(lastUses: ReadonlyMap<string, number>): Promise<void>;
}
