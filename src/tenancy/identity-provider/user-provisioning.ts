import type { Caller } from '../accounts/caller';
import { BriefCache } from '../../shared/brief-cache';
import { newId } from '../../shared/id';
import { type Identity, identityDigest } from './identity';
import type { PgUserIdentityRepository } from './pg-user-identity.repository';

/** Maps identities of the provider to users, and creates a user at the first request of an identity. */
export class UserProvisioning {
  readonly #cache = new BriefCache<Caller>();

  constructor(private readonly userIdentities: PgUserIdentityRepository) {}

  /** Returns null if the account is unknown. */
  async provisionUser(identity: Identity): Promise<Caller | null> {
    return this.#cache.get(identityDigest(identity), () => this.#findOrCreate(identity));
  }

  /** Clears the cache, because accounts have changed. */
  clearCache(): void {
    this.#cache.clear();
  }

  async #findOrCreate(identity: Identity): Promise<Caller | null> {
    const { accountId } = identity;
    const user = await this.userIdentities.find(identity);
    if (user === null) return null;
    const userId = user.userId ?? (await this.#create(identity));
    return userId === null ? null : { accountId, plan: user.plan, userId, apiKeyId: null };
  }

  /** Inserts the user, or reads it if another replica inserts it at the same time. */
  async #create(identity: Identity): Promise<string | null> {
    const userId = newId();
    if (await this.userIdentities.insert(userId, identity)) return userId;
    return (await this.userIdentities.find(identity))?.userId ?? null;
  }
}
