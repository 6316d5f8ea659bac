import { LRUCache } from 'lru-cache';

/**
 * Milliseconds that an answer of the database about a caller is used again. A revoked key must be refused within a second on
 * every replica, and a plan change seen as soon (docs/contract.md, “Accounts and API keys”); half of that leaves time for a
 * slow query. It does not depend on announcements, which mostly make it a matter of milliseconds.
 */
const ttlMs = 500;

/** What the database said of callers a moment ago. That somebody is unknown is not remembered. */
export class CredentialCache<T extends object> {
  readonly #known = new LRUCache<string, T>({ max: 10_000, ttl: ttlMs });
  readonly #asked = new Map<string, Promise<T | null>>();

  /**
   * What is remembered under the name, else what `ask` says. Requests that come while the database is being asked about
   * their caller wait for that answer.
   */
  async get(name: string, ask: () => Promise<T | null>): Promise<T | null> {
    return this.#known.get(name) ?? this.#asked.get(name) ?? this.#ask(name, ask);
  }

  /** Asks about everybody anew. */
  forget(): void {
    this.#known.clear();
  }

  #ask(name: string, ask: () => Promise<T | null>): Promise<T | null> {
    const sentAt = performance.now();
    const answer = ask()
      .then((known) => {
        // The answer is as old as its question.
        if (known) this.#known.set(name, known, { start: sentAt });
        return known;
      })
      .finally(() => this.#asked.delete(name));
    this.#asked.set(name, answer);
    return answer;
  }
}
