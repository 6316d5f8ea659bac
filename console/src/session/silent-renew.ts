import { UserManager } from 'oidc-client-ts';

// Hands the provider's answer to the page that opened this frame. The settings of the client are not needed for it.
void new UserManager({ authority: '', client_id: '', redirect_uri: '' }).signinSilentCallback();
