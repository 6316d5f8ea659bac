import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../shared/clock';
import type { KeySetSource } from './key-set-source';

/** Milliseconds between two looks at the key set: so long a key that the provider took out may be believed. */
const refreshIntervalMs = 5 * 60_000;

/** Milliseconds in which unknown keys make us ask once: whoever invents key ids must not make us press the provider. */
const cooldownMs = 10_000;

/** Milliseconds that the provider may take to answer. */
const answerTimeoutMs = 5000;

/** Milliseconds of it that a request waits at most. */
const refreshWaitMs = 2000;

/** Milliseconds that keys are believed which could not be read again: an outage of the provider is not one of ours. */
const staleTtlMs = 24 * 60 * 60_000;

/**
 * The public keys of the identity provider, out of memory. Known ones wait for nobody. One that is unknown makes us look
 * again, since the provider may have taken a new one into use.
 */
export class KeySetCache {
  #keySet: { text: string; find: JWTVerifyGetKey } | null = null;
  #version = 0;
  #readAt: number;
  #askedAt = -Infinity;
  #asking: Promise<void> | null = null;
  #lastError: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #request = new AbortController();
  #stopped = false;

  constructor(
    private readonly source: KeySetSource,
    private readonly clock: Clock,
    private readonly log: (message: string) => void,
  ) {
    this.#readAt = clock.now();
  }

  /** Begins to look after the keys; returns when the first look is over, however it ended. */
  start(): Promise<void> {
    this.#timer = setInterval(() => void this.refresh(), refreshIntervalMs).unref();
    return this.refresh();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#request.abort();
  }

  /** Why the last look found nothing; null where it went well. */
  get lastError(): string | null {
    return this.#lastError;
  }

  /** Milliseconds since the keys were read, or since we began to try. */
  get ageMs(): number {
    return this.clock.now() - this.#readAt;
  }

  /** Another one whenever other keys are believed than before: what they vouched for must be looked at anew. */
  get version(): number {
    this.#forgetOutlived();
    return this.#version;
  }

  /**
   * The key that the token's header names. What else the header may say of keys (`jwk`, `jku`, `x5u`, `x5c`) is the word of
   * whoever made the token, and not looked at.
   * @throws JOSEError where the provider has no such key, or it cannot be told
   */
  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#believed(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#lookAgain();
      return this.#believed(header, token);
    }
  };

  /** Reads the key set now. When that fails, what is known is kept. */
  refresh(): Promise<void> {
    return (this.#asking ??= this.#read().finally(() => (this.#asking = null)));
  }

  #believed: JWTVerifyGetKey = (header, token) => {
    this.#forgetOutlived();
    if (!this.#keySet) throw new errors.JWKSNoMatchingKey();
    return this.#keySet.find(header, token);
  };

  async #lookAgain(): Promise<void> {
    if (this.#stopped || (!this.#asking && this.clock.now() - this.#askedAt < cooldownMs)) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, refreshWaitMs)));
    await Promise.race([this.refresh(), tooLong]);
    clearTimeout(timer);
  }

  async #read(): Promise<void> {
    const request = (this.#request = new AbortController());
    const timer = setTimeout(() => request.abort(new Error('it does not answer')), answerTimeoutMs);
    this.#askedAt = this.clock.now();
    try {
      const text = await this.source(request.signal);
      if (text !== this.#keySet?.text) this.#believe({ text, find: createLocalJWKSet(publicKeysOf(text)) });
      this.#readAt = this.clock.now();
      this.#lastError = null;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#lastError && !this.#stopped) this.log(`keys of the identity provider: ${message}`);
      this.#lastError = message;
    } finally {
      clearTimeout(timer);
    }
  }

  #believe(keySet: { text: string; find: JWTVerifyGetKey } | null): void {
    this.#keySet = keySet;
    this.#version++;
  }

  #forgetOutlived(): void {
    if (this.#keySet && this.ageMs >= staleTtlMs) this.#believe(null);
  }
}

/** What makes a public key of each kind (RFC 7518, section 6; RFC 8037, section 2). */
const members = new Map<unknown, (keyof JWK)[]>([
  ['RSA', ['n', 'e']],
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
]);

const isPublicKey = (key: JWK | null): boolean =>
  key?.d === undefined && (members.get(key?.kty)?.every((member) => typeof key?.[member] === 'string') ?? false);

/**
 * The keys that verify signatures, without those that only their owner may have, and those of kinds that we do not know.
 * @throws Error when there is none: a provider that has nothing to sign with is out of order
 */
function publicKeysOf(text: string): JSONWebKeySet {
  const { keys } = (JSON.parse(text) ?? {}) as Partial<JSONWebKeySet>;
  const usable = (Array.isArray(keys) ? keys : []).filter(isPublicKey);
  if (usable.length === 0) throw new Error('it is no key set with a public key');
  return { keys: usable };
}
