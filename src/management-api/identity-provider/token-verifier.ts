import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';
import { parseId } from '../../shared/id';
import { text } from '../../shared/text';
import type { DashboardSettings } from './dashboard-settings';
import type { Identity } from './identity';
import type { ProviderKeys } from './provider-keys';

/** Characters: what is longer is not looked at. Tokens of providers that list a person's groups have up to half of it. */
const maxTokenLength = 8192;

/** A JWS in its compact form (RFC 7515, section 7.1), signed with anything at all. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Media types of tokens that open something (RFC 7519, section 5.1; RFC 9068, section 2.1): those of logouts are others. */
const acceptedTypes = ['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt'];

/** As many as OpenID Connect Core allows a subject (section 2). */
const subject = text({ min: 1, max: 255, notBlank: true });
const email = text({ min: 3, max: 320 });

interface Verified {
  identity: Identity;
  /** Seconds since 1970: the claims `nbf` and `exp`. */
  notBefore: number;
  expires: number;
  keys: number;
}

/** Why a token is refused, in words for the log: none of it is the sender's. */
export class TokenRefused extends Error {}

/**
 * Tells from a token of the identity provider who it speaks of. What was verified once is remembered until it expires, or
 * until the provider's keys change: a page of the dashboard sends a dozen requests with one token.
 */
export class TokenVerifier {
  readonly #verified = new LRUCache<string, Verified>({ max: 10_000 });

  constructor(
    private readonly settings: DashboardSettings,
    private readonly keys: Pick<ProviderKeys, 'find' | 'version'>,
    private readonly clock: Clock,
  ) {}

  /** Whether it is a token at all, and short enough to be looked at. */
  looksLikeToken(given: string): boolean {
    return given.length <= maxTokenLength && compactForm.test(given);
  }

  /** @throws TokenRefused */
  async verify(token: string): Promise<Identity> {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = this.#verified.get(digest);
    if (known?.keys === this.keys.version) return this.#inTime(known);
    const { version } = this.keys;
    const verified = this.#read(await this.#claimsOf(token), version);
    this.#verified.set(digest, verified);
    return verified.identity;
  }

  async #claimsOf(token: string): Promise<JWTPayload> {
    const { issuer, audience, algorithms, clockSkew } = this.settings;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, {
        issuer,
        audience,
        algorithms: [...algorithms],
        clockTolerance: clockSkew,
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

  #read(claims: JWTPayload, keys: number): Verified {
    const names = this.settings.claims;
    const claim = (name: string): unknown => (Object.hasOwn(claims, name) ? claims[name] : undefined);
    const person = subject.tryParse(claim(names.user));
    if (person === null) throw new TokenRefused('claim of the user');
    const account = claim(names.account);
    const accountId = typeof account === 'string' ? parseId(account) : null;
    if (accountId === null) throw new TokenRefused('claim of the account');
    return {
      identity: { accountId, issuer: this.settings.issuer, subject: person, email: email.tryParse(claim(names.email)) },
      notBefore: claims.nbf ?? -Infinity,
      expires: claims.exp!,
      keys,
    };
  }

  #inTime({ identity, notBefore, expires }: Verified): Identity {
    const now = Math.floor(this.clock.now() / 1000);
    const { clockSkew } = this.settings;
    if (expires <= now - clockSkew) throw new TokenRefused('expired');
    if (notBefore > now + clockSkew) throw new TokenRefused('not yet valid');
    return identity;
  }
}

/** The library's code for it, and the claim that was at fault. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `claim ${error.claim}`;
  return error instanceof errors.JOSEError ? error.code : (error as Error).name;
}
