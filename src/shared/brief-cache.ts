import { LRUCache } from 'lru-cache';

/** Half a second leaves time for a slow query, because some changes must show on every replica within a second. */
const ttlMs = 500;

/**
 * Keeps values for half a second, so that a busy caller costs few queries. Code that changes a value calls `delete` after the
 * commit; notifications tell the other replicas earlier than the half second. Absence is not cached.
 */
export class BriefCache<T extends object> {
  readonly #cached = new LRUCache<string, T>({ max: 10_000, ttl: ttlMs });
  readonly #pending = new Map<string, Promise<T | null>>();

  /** Returns the cached value, or a promise that loads it. Concurrent requests for the same key share one query. */
  get(key: string, load: () => Promise<T | null>): T | Promise<T | null> {
    return this.#cached.get(key) ?? this.#pending.get(key) ?? this.#load(key, load);
  }

  /** Makes the next `get` load the value, even if another load is under way. */
  delete(key: string): void {
    this.#cached.delete(key);
    this.#pending.delete(key);
  }

  clear(): void {
    this.#cached.clear();
    this.#pending.clear();
  }

  #load(key: string, load: () => Promise<T | null>): Promise<T | null> {
    const sentAt = performance.now();
    const loading = load()
      .then((value) => {
        // The age counts from the query, because the answer is as old as its snapshot.
        if (value && this.#pending.get(key) === loading) this.#cached.set(key, value, { start: sentAt });
        return value;
      })
      .finally(() => {
        if (this.#pending.get(key) === loading) this.#pending.delete(key);
      });
    this.#pending.set(key, loading);
    return loading;
  }
}
