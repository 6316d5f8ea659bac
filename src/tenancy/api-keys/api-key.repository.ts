import type { Page } from '../../shared/page';
import type { ApiKey, ApiKeyChanges, NewApiKey } from './api-key';

/** Stores API keys. A live key is not revoked; it may have expired. */
export abstract class ApiKeyRepository {
  /** @throws NotFound if the account does not exist */
  abstract insert(key: NewApiKey, digest: Buffer): Promise<ApiKey>;

  /** Lists all keys, oldest first, including revoked and expired ones. */
  abstract list(accountId: string): Promise<ApiKey[]>;

  abstract listLive(accountId: string, request: { page: number; limit: number }): Promise<Page<ApiKey>>;
  abstract findLive(accountId: string, id: string): Promise<ApiKey | null>;
  /** Finds a live key, and locks it until the unit of work ends. */
  abstract findLiveForUpdate(accountId: string, id: string): Promise<ApiKey | null>;
  /** Finds a key of any account, live or not, and locks it until the unit of work ends. */
  abstract findForUpdate(id: string): Promise<ApiKey | null>;
  /** Finds a key of any account by the digest of its secret, live or not, and locks it until the unit of work ends. */
  abstract findByDigestForUpdate(digest: Buffer): Promise<ApiKey | null>;
  /** Changes the named fields only. Returns null if the account has no such key. */
  abstract update(accountId: string, id: string, changes: ApiKeyChanges): Promise<ApiKey | null>;
}
