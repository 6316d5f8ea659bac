import type { IdentityProviderSettings } from './identity-provider-settings';

export class TokenAuthenticatorSettings {
  /** Undefined if the management API takes API keys only. */
  readonly provider: IdentityProviderSettings | undefined;
}
