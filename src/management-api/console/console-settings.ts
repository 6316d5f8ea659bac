export class ConsoleSettings {
  /** Whether `/console/` exists and `/` redirects there. */
  readonly enabled: boolean;
  readonly folder: string;
  /** Sign-in at an identity provider; null if the console takes API keys only. */
  readonly provider: ConsoleProvider | null;
  /** The link hosts as a source of pictures (Content Security Policy Level 3, 2.3.1). */
  readonly pictures: string;
}

/** The settings of the authorization code flow with PKCE, which the page runs. */
export interface ConsoleProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** The audience of the access tokens that the API takes. */
  readonly audience: string;
  readonly origins: readonly string[];
}
