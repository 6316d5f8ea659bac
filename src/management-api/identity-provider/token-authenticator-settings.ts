import type { IdentityProviderSettings } from './identity-provider-settings';

export class TokenAuthenticatorSettings {
  /** Undefined if the management API takes API keys only. */
  readonly provider: IdentityProviderSettings | undefined;
  /** False in a process that answers link traffic only, because it verifies no token. */
  readonly loadsKeySet: boolean;
}
