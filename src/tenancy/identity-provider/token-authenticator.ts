import type { Caller } from '../accounts/caller';
import { BadSetting } from '../../shared/bad-setting';
import type { Clock } from '../../shared/clock';
import type { Identity } from './identity';
import type { IdentityProviderSettings } from './identity-provider-settings';
import { KeySetCache } from './key-set-cache';
import { fromFile, fromUrl } from './key-set-source';
import { TokenVerifier } from './token-verifier';
import type { PgUserIdentityRepository } from './pg-user-identity.repository';
import { UserProvisioning } from './user-provisioning';

interface Dependencies {
  userIdentities: PgUserIdentityRepository;
  clock: Clock;
  log: (message: string) => void;
}

/** Authenticates requests by access tokens of the identity provider. Without settings it accepts no token. */
export class TokenAuthenticator {
  readonly #keySet: KeySetCache | undefined;
  readonly #verifier: TokenVerifier | undefined;
  readonly #userProvisioning: UserProvisioning;

  constructor(
    private readonly settings: IdentityProviderSettings | undefined,
    { userIdentities, clock, log }: Dependencies,
  ) {
    this.#userProvisioning = new UserProvisioning(userIdentities);
    if (!settings) return;
    const { keySet } = settings;
    this.#keySet = new KeySetCache('url' in keySet ? fromUrl(keySet.url) : fromFile(keySet.file), clock, log);
    this.#verifier = new TokenVerifier(settings, this.#keySet, clock);
  }

  /**
   * Starts to refresh the key set. It does not wait for the provider, because links and API keys work without it.
   * @throws BadSetting if the key set is a file that cannot be used
   */
  async start(): Promise<void> {
    const firstRefresh = this.#keySet?.start();
    if (!this.settings || !('file' in this.settings.keySet)) return;
    await firstRefresh;
    if (this.#keySet?.lastError) throw new BadSetting(`DASHBOARD_JWKS_FILE: ${this.#keySet.lastError}`);
  }

  stop(): void {
    this.#keySet?.stop();
  }

  /** Milliseconds since the key set was last read, or since the start. */
  get keySetAgeMs(): number {
    return this.#keySet?.ageMs ?? 0;
  }

  /**
   * Returns null if the secret does not have the form of a token.
   * @throws TokenRefused
   */
  async verifyToken(token: string): Promise<Identity | null> {
    return this.#verifier?.looksLikeToken(token) ? this.#verifier.verify(token) : null;
  }

  /** Returns the caller that the identity acts as; null if the account is unknown. */
  provisionUser(identity: Identity): Promise<Caller | null> {
    return this.#userProvisioning.provisionUser(identity);
  }

  /** Clears the cache of users, because accounts have changed. */
  clearCache(): void {
    this.#userProvisioning.clearCache();
  }
}
