import type { Caller } from '../accounts/caller';
import { CredentialCache } from '../accounts/credential-cache';
import { type Clock } from '../../shared/clock';
import { digestOf, looksLikeApiKey } from './api-key-secret';
import type { ApiKeyRepository, KnownKey } from './api-key.repository';
import type { LastUse } from './last-use';

/** Turns the secret of a request into whom it acts for. */
export class Authenticator {
  readonly #memory = new CredentialCache<KnownKey>();

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
    const known = await this.#memory.get(digest, () => this.keys.findCaller(Buffer.from(digest, 'hex')));
    const now = this.clock.now();
    if (!known || (known.expiresAt && known.expiresAt.getTime() <= now)) return null;
    this.lastUse.note(known.caller.apiKeyId, now);
    return known.caller;
  }

  /** Asks about every key anew: something was announced about keys or accounts. */
  forget(): void {
    this.#memory.forget();
  }
}
