import type { Caller } from '../accounts/caller';
import { BriefCache } from '../../shared/brief-cache';
import { digestOfKey, looksLikeApiKey } from './api-key-secret';
import type { CallerRepository, KnownKey } from './caller.repository';
import type { LastUseRecorder } from './last-use-recorder';
import type { Pepper } from './pepper';

export class ApiKeyAuthenticator {
  readonly #cache = new BriefCache<KnownKey>();

  constructor(
    private readonly callers: Pick<CallerRepository, 'find'>,
    private readonly lastUse: LastUseRecorder,
    private readonly pepper: Pepper,
  ) {}

  /** Returns the key's digest in hex, which rate limits count by; null if the secret does not have the form of a key. */
  digest(secret: string): string | null {
    return looksLikeApiKey(secret) ? digestOfKey(secret, this.pepper.value).toString('hex') : null;
  }

  /** Returns null if the key is unknown, revoked or expired. */
  findCaller(digest: string): Caller | null | Promise<Caller | null> {
    const lookUp = this.#cache.get(digest, () => this.callers.find(Buffer.from(digest, 'hex')));
    return lookUp instanceof Promise ? lookUp.then((known) => this.#callerOf(known)) : this.#callerOf(lookUp);
  }

  #callerOf(known: KnownKey | null): Caller | null {
    const now = performance.now();
    if (!known || known.validUntilMs <= now) return null;
    this.lastUse.record(known.caller.apiKeyId, now);
    return known.caller;
  }

  /** Empties the cache after a notification of changed keys or accounts. */
  clearCache(): void {
    this.#cache.clear();
  }
}
