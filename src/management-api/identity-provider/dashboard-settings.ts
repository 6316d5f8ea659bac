/**
 * What a token may be signed with: signatures that only the identity provider can make (RFC 7518, section 3.1, and RFC 8037).
 * Never `none`, and never an HMAC, whose key would be the one that everybody can fetch.
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

/** How those who are signed in at the customer's identity provider are recognised: the settings `DASHBOARD_…`. */
export interface DashboardSettings {
  /** Where the provider's public keys come from. */
  keySet: { url: URL } | { file: string };
  /** What `iss` must be, exactly. */
  issuer: string;
  /** What `aud` must be or contain. */
  audience: string;
  algorithms: readonly SigningAlgorithm[];
  /** Seconds by which the provider's clock and ours may differ. */
  clockSkew: number;
  /** The claims that name the person, the account and the person's e-mail address. */
  claims: { user: string; account: string; email: string };
}
