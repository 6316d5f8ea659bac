import { LRUCache } from 'lru-cache';

/**
 * Half a second leaves time for a slow query, because replicas must refuse a revoked key within a second (docs/contract.md,
 * “Accounts and API keys”). Notifications usually empty the cache earlier.
 */
const ttlMs = 500;

/** Caches callers by credential. Unknown credentials are not cached. */
export class CredentialCache<T extends object> {
  readonly #known = new LRUCache<string, T>({ max: 10_000, ttl: ttlMs });
  readonly #asked = new Map<string, Promise<T | null>>();

  /**
   * Returns the cached caller, or the answer of `ask`. Concurrent requests with the same credential share one query.
   */
  async get(name: string, ask: () => Promise<T | null>): Promise<T | null> {
    return this.#known.get(name) ?? this.#asked.get(name) ?? this.#ask(name, ask);
  }

  forget(): void {
    this.#known.clear();
  }

  #ask(name: string, ask: () => Promise<T | null>): Promise<T | null> {
    const sentAt = performance.now();
    const answer = ask()
      .then((known) => {
        // The age counts from the query, because the answer is as old as its snapshot.
        if (known) this.#known.set(name, known, { start: sentAt });
        return known;
      })
      .finally(() => this.#asked.delete(name));
    this.#asked.set(name, answer);
    return answer;
  }
}
