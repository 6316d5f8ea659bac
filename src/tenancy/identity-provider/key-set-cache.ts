import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, type RemoteJWKSet } from 'jose';
import { anySignal } from '../../shared/any-signal';
import type { Clock } from '../../shared/clock';
import type { KeySetSource } from './key-set-source';

/** A key that the provider removed is accepted for at most this long. */
const refreshIntervalMs = 5 * 60_000;

/** Unknown key ids cause at most one request in this time, because anyone can invent them. */
const cooldownMs = 10_000;

const requestTimeoutMs = 5000;

/** The longest time that a request with an unknown key waits for the refresh. */
const maxWaitMs = 2000;

/** Keys stay valid for this long without a successful refresh, so that an outage of the provider does not spread. */
const staleTtlMs = 24 * 60 * 60_000;

/**
 * Caches the key set of the identity provider. Jose loads and selects the keys; this class decides when to load. Jose's own
 * cooldown starts at a successful load only, and its maximum age makes requests wait.
 */
export class KeySetCache {
  readonly #remote: RemoteJWKSet;
  /** The keys in use as JSON; null before the first load and when they are too old. */
  #current: string | null = null;
  #version = 0;
  #loadedAt: number;
  #triedAt = -Infinity;
  #lastError: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #request = new AbortController();
  #stopped = false;

  constructor(
    { url, fetch }: KeySetSource,
    private readonly clock: Clock,
    private readonly log: (message: string) => void,
  ) {
    this.#loadedAt = clock.now();
    this.#remote = createRemoteJWKSet(url, {
      timeoutDuration: requestTimeoutMs,
      cacheMaxAge: Infinity,
      cooldownDuration: Infinity,
      [customFetch]: (address, options) => {
        this.#request = new AbortController();
        return fetch(address, { ...options, signal: anySignal(options.signal, this.#request.signal) });
      },
    });
  }

  /** Starts to refresh the keys. Resolves after the first attempt, successful or not. */
  start(): Promise<void> {
    this.#timer = setInterval(() => void this.refresh(), refreshIntervalMs).unref();
    return this.refresh();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#request.abort();
  }

  /** Null if the last refresh succeeded. */
  get lastError(): string | null {
    return this.#lastError;
  }

  /** Milliseconds since the keys were last loaded, or since the start. */
  get ageMs(): number {
    return this.clock.now() - this.#loadedAt;
  }

  /** Changes with the keys in use. A result of an older version must be verified again. */
  get version(): number {
    if (this.ageMs >= staleTtlMs) this.#use(null);
    return this.#version;
  }

  /**
   * Selects the key by `alg` and `kid`. Keys inside the header (`jwk`, `jku`, `x5u`, `x5c`) are ignored, because the sender
   * chose them.
   * @throws JOSEError if the key is unknown
   */
  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#refreshForUnknownKey();
      return this.#find(header, token);
    }
  };

  /** Loads the key set; concurrent calls share one request. After a failure the previous keys stay in use. */
  async refresh(): Promise<void> {
    if (!this.#remote.reloading) this.#triedAt = this.clock.now();
    try {
      await this.#remote.reload();
      this.#loadedAt = this.clock.now();
      this.#lastError = null;
      this.#use(JSON.stringify(this.#remote.jwks()));
    } catch (error) {
      const message = reasonOf(error as Error);
      if (message !== this.#lastError && !this.#stopped) this.log(`keys of the identity provider: ${message}`);
      this.#lastError = message;
    }
  }

  #find: JWTVerifyGetKey = (header, token) => {
    if (this.ageMs >= staleTtlMs) this.#use(null);
    if (this.#current === null) throw new errors.JWKSNoMatchingKey();
    return this.#remote(header, token);
  };

  async #refreshForUnknownKey(): Promise<void> {
    const coolingDown = !this.#remote.reloading && this.clock.now() - this.#triedAt < cooldownMs;
    if (this.#stopped || coolingDown) return;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxWaitMs)));
    await Promise.race([this.refresh(), timeout]);
    clearTimeout(timer);
  }

  #use(keys: string | null): void {
    if (keys === this.#current) return;
    this.#current = keys;
    this.#version++;
  }
}

/** Returns the reason of a failed `fetch`, which is in the cause. The cause of several attempts has a code only. */
function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.message || cause?.code || error.message;
}
