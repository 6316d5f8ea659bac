import type { Caller } from '../accounts/caller';
import { CredentialCache } from '../accounts/credential-cache';
import { newId } from '../../shared/id';
import { digestOf, type Identity } from './identity';
import type { PersonRepository } from './person.repository';

/** The users that signed-in people are. */
export class UserProvisioning {
  readonly #memory = new CredentialCache<Caller>();

  constructor(private readonly people: PersonRepository) {}

  /** Whom requests of the person act for; somebody new becomes a user. Null where there is no such account. */
  caller(identity: Identity): Promise<Caller | null> {
    return this.#memory.get(digestOf(identity), () => this.#find(identity));
  }

  /** Asks about everybody anew: something was announced about accounts. */
  forget(): void {
    this.#memory.forget();
  }

  async #find(identity: Identity): Promise<Caller | null> {
    const { accountId } = identity;
    const known = await this.people.find(identity);
    if (known === null) return null;
    const userId = known.userId ?? (await this.#provisionUser(identity));
    return userId === null ? null : { accountId, plan: known.plan, userId, apiKeyId: null };
  }

  /** Of the first requests of a person, which may come to all replicas at once, one makes the user. */
  async #provisionUser(identity: Identity): Promise<string | null> {
    const userId = newId();
    if (await this.people.insert(userId, identity)) return userId;
    return (await this.people.find(identity))?.userId ?? null;
  }
}
