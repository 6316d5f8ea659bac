import { type Caller, stoppedOf } from '../accounts/caller';
import { BriefCache } from '../../shared/brief-cache';
import { newId } from '../../shared/id';
import { rightsOfPerson, unlimitedRights } from '../../api-kit/policy/rights';
import { type Identity, identityDigest } from './identity';
import type { PgUserIdentityRepository } from './pg-user-identity.repository';

/** Maps identities of the provider to users with their roles. Creates a user, and binds a member, at the first request of an identity. */
export class UserProvisioning {
  readonly #cache = new BriefCache<Caller>();

  /** @param usesMembers whether people have the roles of members */
  constructor(
    private readonly userIdentities: PgUserIdentityRepository,
    private readonly usesMembers: boolean,
  ) {}

  /** Returns null if the account is unknown. */
  async provisionUser(identity: Identity): Promise<Caller | null> {
    return this.#cache.get(identityDigest(identity), () => this.#findOrCreate(identity));
  }

  /** Clears the cache, because accounts have changed. */
  clearCache(): void {
    this.#cache.clear();
  }

  async #findOrCreate(identity: Identity): Promise<Caller | null> {
    const known = await this.userIdentities.find(identity);
    if (known === null) return null;
    const { userId, memberId } = known;
    if (userId === null) {
      await this.userIdentities.insert(newId(), identity);
      // Another replica may have been first, or the account is gone.
      return this.#findOrCreate(identity);
    }
    if (this.usesMembers && memberId !== null && !known.isBound) {
      await this.userIdentities.bind(memberId, userId);
      return this.#findOrCreate(identity);
    }
    const isUnlimited = !this.usesMembers || !known.accountHasMembers;
    const rights = isUnlimited
      ? unlimitedRights
      : rightsOfPerson(known.role, new Map(Object.entries(known.projectRoles ?? {})));
    const stopped = stoppedOf(known);
    return { accountId: identity.accountId, plan: known.plan, userId, apiKeyId: null, rights, stopped };
  }
}
