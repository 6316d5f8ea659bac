import { LRUCache } from 'lru-cache';
import { type Clock } from '../shared/clock';
import type { Caller } from './api-key';
import { digestOf, looksLikeApiKey } from './api-key-secret';
import type { ApiKeyRepository } from './api-key.repository';
import type { LastUse } from './last-use';

/**
 * Milliseconds that an answer of the database about a key is used again. A revoked key must be refused within a second on
 * every replica (DECISIONS, "API keys"), and a plan change seen as soon; half of that leaves room for a slow query. It
 * does not depend on announcements, which mostly make it a matter of milliseconds.
 */
const rememberedFor = 500;

/** Turns the secret of a request into whom it acts for. */
export class Authenticator {
  readonly #known = new LRUCache<string, { caller: Caller; expiresAt: Date | null }>({
    max: 10_000,
    ttl: rememberedFor,
  });
  readonly #asked = new Map<string, Promise<{ caller: Caller; expiresAt: Date | null } | null>>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly lastUse: LastUse,
    private readonly clock: Clock,
    private readonly pepper: string,
  ) {}

  /** The key's digest in hex, by which its requests are counted; null where the secret is no key by its form. */
  digest(secret: string): string | null {
    return looksLikeApiKey(secret) ? digestOf(secret, this.pepper).toString('hex') : null;
  }

  /** Null where the key is unknown, revoked or expired. */
  async caller(digest: string): Promise<Caller | null> {
    const known = this.#known.get(digest) ?? (await this.#ask(digest));
    const now = this.clock.now();
    if (!known || (known.expiresAt && known.expiresAt.getTime() <= now)) return null;
    this.lastUse.note(known.caller.apiKeyId, now);
    return known.caller;
  }

  /** Asks about every key anew: something was announced about keys or accounts. */
  forget(): void {
    this.#known.clear();
  }

  /** Requests that come while the database is being asked about their key wait for that answer. */
  #ask(digest: string): Promise<{ caller: Caller; expiresAt: Date | null } | null> {
    const asked = this.#asked.get(digest);
    if (asked) return asked;
    const sentAt = performance.now();
    const answer = this.keys
      .findCaller(Buffer.from(digest, 'hex'))
      .then((known) => {
        // The answer is as old as its question.
        if (known) this.#known.set(digest, known, { start: sentAt });
        return known;
      })
      .finally(() => this.#asked.delete(digest));
    this.#asked.set(digest, answer);
    return answer;
  }
}
