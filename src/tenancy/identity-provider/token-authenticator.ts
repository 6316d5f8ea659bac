import type { Log } from '../../platform/observability/log';
import type { Caller } from '../accounts/caller';
import { BadSetting } from '../../shared/bad-setting';
import type { Clock } from '../../shared/clock';
import { rightsOfGroups } from './group-roles';
import type { Identity } from './identity';
import { KeySetCache } from './key-set-cache';
import { fromFile, fromUrl } from './key-set-source';
import type { TokenAuthenticatorSettings } from './identity-provider-settings';
import { TokenVerifier } from './token-verifier';
import type { PgUserIdentityRepository } from './pg-user-identity.repository';
import { UserProvisioning } from './user-provisioning';

/** Authenticates requests by access tokens of the identity provider. Without settings it accepts no token. */
export class TokenAuthenticator {
  readonly #keySet: KeySetCache | undefined;
  readonly #verifier: TokenVerifier | undefined;
  readonly #userProvisioning: UserProvisioning;

  constructor(
    private readonly settings: TokenAuthenticatorSettings,
    userIdentities: PgUserIdentityRepository,
    clock: Clock,
    log: Log,
  ) {
    this.#userProvisioning = new UserProvisioning(userIdentities, settings.roles?.source === 'members');
    const { provider } = settings;
    if (!provider) return;
    const { keySet } = provider;
    const source = 'url' in keySet ? fromUrl(keySet.url) : fromFile(keySet.file);
    this.#keySet = new KeySetCache(source, clock, (message) => log.warn(message));
    this.#verifier = new TokenVerifier(provider, this.#keySet, clock);
  }

  /**
   * Starts to refresh the key set. It does not wait for the provider, because links and API keys work without it.
   * @throws BadSetting if the key set is a file that cannot be used
   */
  async onModuleInit(): Promise<void> {
    const firstRefresh = this.#keySet?.start();
    const { provider } = this.settings;
    if (!provider || !('file' in provider.keySet)) return;
    await firstRefresh;
    if (this.#keySet?.lastError) throw new BadSetting(`DASHBOARD_JWKS_FILE: ${this.#keySet.lastError}`);
  }

  beforeApplicationShutdown(): void {
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
  async provisionUser(identity: Identity): Promise<Caller | null> {
    const caller = await this.#userProvisioning.provisionUser(identity);
    const { roles } = this.settings;
    if (!caller || roles?.source !== 'provider') return caller;
    return { ...caller, rights: rightsOfGroups(roles.groups, identity.groups) };
  }

  /** Clears the cache of users, because accounts have changed. */
  clearCache(): void {
    this.#userProvisioning.clearCache();
  }
}
