import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';
import { parseId } from '../../shared/id';
import { text } from '../../shared/text';
import type { IdentityProviderSettings } from './identity-provider-settings';
import type { Identity } from './identity';
import type { KeySetCache } from './key-set-cache';

/** Characters. Tokens that list a user's groups reach half of this. */
const maxTokenLength = 8192;

/** JWS compact serialization (RFC 7515, section 7.1). */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Media types of access tokens (RFC 7519, section 5.1; RFC 9068, section 2.1). Logout tokens have another one. */
const acceptedTypes = ['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt'];

/** The length is the limit of OpenID Connect Core, section 2. */
const subject = text({ min: 1, max: 255, notBlank: true });
const email = text({ min: 3, max: 320 });

interface Verified {
  identity: Identity;
  /** Seconds since 1970, as in the claims `nbf` and `exp`. */
  notBefore: number;
  expires: number;
  keySetVersion: number;
}

/** Carries the reason for the log as its message. The message contains nothing that the sender wrote. */
export class TokenRefused extends Error {}

/**
 * Verifies access tokens. A verified token is cached until it expires or the key set changes, because a page sends a dozen
 * requests with one token.
 */
export class TokenVerifier {
  readonly #verified: LRUCache<string, Verified>;

  constructor(
    private readonly settings: IdentityProviderSettings,
    private readonly keySet: Pick<KeySetCache, 'getKey' | 'version'>,
    private readonly clock: Clock,
    maxVerified = 10_000,
  ) {
    this.#verified = new LRUCache({ max: maxVerified });
  }

  /** Returns false for anything that is not a compact JWS or is too long. */
  looksLikeToken(secret: string): boolean {
    return secret.length <= maxTokenLength && compactForm.test(secret);
  }

  /** @throws TokenRefused */
  async verify(token: string): Promise<Identity> {
    const digest = createHash('sha256').update(token).digest('base64');
    const cached = this.#verified.get(digest);
    if (cached?.keySetVersion === this.keySet.version) return this.#checkTimes(cached);
    const { version } = this.keySet;
    const verified = this.#read(await this.#claimsOf(token), version);
    this.#verified.set(digest, verified);
    return verified.identity;
  }

  async #claimsOf(token: string): Promise<JWTPayload> {
    const { issuer, audience, algorithms, clockSkewSeconds } = this.settings;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keySet.getKey, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(this.clock.now()),
        requiredClaims: ['exp'],
      });
      const { typ } = protectedHeader;
      if (typ !== undefined && !acceptedTypes.includes(String(typ).toLowerCase())) throw new TokenRefused('type');
      return payload;
    } catch (error) {
      throw error instanceof TokenRefused ? error : new TokenRefused(reasonOf(error));
    }
  }

  #read(claims: JWTPayload, keySetVersion: number): Verified {
    // JSON can write a number beyond the range of a double, such as 1e999. A token with it would never expire.
    if (!Number.isFinite(claims.exp)) throw new TokenRefused('claim exp');
    const names = this.settings.claims;
    const claim = (name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined);
    const user = subject.tryParse(claim(names.user));
    if (user === null) throw new TokenRefused('claim of the user');
    const account = claim(names.account);
    const accountId = typeof account === 'string' ? parseId(account) : null;
    if (accountId === null) throw new TokenRefused('claim of the account');
    return {
      identity: {
        accountId,
        issuer: this.settings.issuer,
        subject: user,
        email: claim('email_verified') === false ? null : email.tryParse(claim(names.email)),
        groups: textsIn(claim(names.groups)),
      },
      notBefore: claims.nbf ?? -Infinity,
      expires: claims.exp!,
      keySetVersion,
    };
  }

  #checkTimes({ identity, notBefore, expires }: Verified): Identity {
    const now = Math.floor(this.clock.now() / 1000);
    const { clockSkewSeconds } = this.settings;
    if (expires <= now - clockSkewSeconds) throw new TokenRefused('expired');
    if (notBefore > now + clockSkewSeconds) throw new TokenRefused('not yet valid');
    return identity;
  }
}

/** Returns the texts of a claim that is one text or a list. */
const textsIn = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((one) => typeof one === 'string');

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim}`;
  return error instanceof errors.JOSEError ? error.code : (error as Error).name;
}
