import type { ProjectRole, Role } from '../../api-kit/policy/policy';

/**
 * Asymmetric algorithms of RFC 7518, section 3.1, and RFC 8037. `none` and HMAC are left out: the key set is public, so anyone
 * could sign with an HMAC key from it.
 */
export const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** A role that members of a group of the provider have: in one project, or in the account. */
export type GroupRole = { group: string } & (
  | { role: Role; projectId: null }
  | { role: ProjectRole; projectId: string }
);

/** The source of the roles of people. */
export type RoleSettings = { source: 'members' } | { source: 'provider'; groups: readonly GroupRole[] };

/** The settings `DASHBOARD_…`. */
export interface IdentityProviderSettings {
  keySet: { url: URL } | { file: string };
  /** The exact value of `iss`. */
  issuer: string;
  /** `aud` must equal or contain it. */
  audience: string;
  algorithms: readonly SigningAlgorithm[];
  /** Tolerated difference between the provider's clock and this one. */
  clockSkewSeconds: number;
  claims: { user: string; account: string; email: string; groups: string };
}

export class TokenAuthenticatorSettings {
  /** Undefined if the management API takes API keys only. */
  readonly provider: IdentityProviderSettings | undefined;
  /** Undefined if everybody is an owner. */
  readonly roles: RoleSettings | undefined;
}
