import type { Caller } from '../accounts/caller';
import { BadSetting } from '../../shared/bad-setting';
import type { Clock } from '../../shared/clock';
import type { DashboardSettings } from './dashboard-settings';
import type { Identity } from './identity';
import { fromFile, fromUrl } from './key-set-source';
import { UserProvisioning } from './user-provisioning';
import type { PersonRepository } from './person.repository';
import { ProviderKeys } from './provider-keys';
import { TokenVerifier } from './token-verifier';

interface Parts {
  people: PersonRepository;
  clock: Clock;
  log: (message: string) => void;
}

/** Lets in who is signed in at the customer's identity provider. Without settings it lets in nobody. */
export class DashboardSignIn {
  readonly #keys: ProviderKeys | undefined;
  readonly #verifier: TokenVerifier | undefined;
  readonly #people: UserProvisioning;

  constructor(
    private readonly settings: DashboardSettings | undefined,
    { people, clock, log }: Parts,
  ) {
    this.#people = new UserProvisioning(people);
    if (!settings) return;
    const { keySet } = settings;
    this.#keys = new ProviderKeys('url' in keySet ? fromUrl(keySet.url) : fromFile(keySet.file), clock, log);
    this.#verifier = new TokenVerifier(settings, this.#keys, clock);
  }

  /**
   * Begins to look after the provider's keys. A provider that is away is not waited for: links and API keys have nothing to
   * do with it.
   * @throws BadSetting when the keys are in a file, and cannot be read from it
   */
  async start(): Promise<void> {
    const read = this.#keys?.start();
    if (!this.settings || !('file' in this.settings.keySet)) return;
    await read;
    if (this.#keys?.trouble) throw new BadSetting(`DASHBOARD_JWKS_FILE: ${this.#keys.trouble}`);
  }

  stop(): void {
    this.#keys?.stop();
  }

  /** Milliseconds since the provider's keys were read, or since the start. */
  get ageOfKeys(): number {
    return this.#keys?.age ?? 0;
  }

  /**
   * Who the token speaks of; null where it is no token by its form.
   * @throws TokenRefused
   */
  async identityOf(token: string): Promise<Identity | null> {
    return this.#verifier?.looksLikeToken(token) ? this.#verifier.verify(token) : null;
  }

  /** Whom requests of the person act for; null where the account is unknown. */
  caller(identity: Identity): Promise<Caller | null> {
    return this.#people.caller(identity);
  }

  /** Asks about everybody anew: something was announced about accounts. */
  forget(): void {
    this.#people.forget();
  }
}
