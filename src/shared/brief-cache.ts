import { LRUCache } from 'lru-cache';

/**
 * Half a second leaves time for a slow query, because replicas must refuse a revoked key within a second (docs/contract-resources.md,
 * “Accounts and API keys”). Notifications usually empty the cache earlier.
 */
const ttlMs = 500;

/** Caches callers by credential. Unknown credentials are not cached. */
export class CredentialCache<T extends object> {
  readonly #cached = new LRUCache<string, T>({ max: 10_000, ttl: ttlMs });
  readonly #pending = new Map<string, Promise<T | null>>();

  /**
   * Returns the cached caller, or loads it. Concurrent requests with the same credential share one query.
   */
  async get(credential: string, load: () => Promise<T | null>): Promise<T | null> {
    return this.#cached.get(credential) ?? this.#pending.get(credential) ?? this.#load(credential, load);
  }

  clear(): void {
    this.#cached.clear();
  }

  #load(credential: string, load: () => Promise<T | null>): Promise<T | null> {
    const sentAt = performance.now();
    const loading = load()
      .then((caller) => {
        // The age counts from the query, because the answer is as old as its snapshot.
        if (caller) this.#cached.set(credential, caller, { start: sentAt });
        return caller;
      })
      .finally(() => this.#pending.delete(credential));
    this.#pending.set(credential, loading);
    return loading;
  }
}
