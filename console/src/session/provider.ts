import { type User, UserManager, WebStorageStateStore, InMemoryWebStorage } from 'oidc-client-ts';
import { settings } from '../app/settings';

const consoleUrl = new URL('/console/', location.origin).href;

/** Remembers that the tab was signed in, so that a reload asks the provider without showing its pages. */
const resumeKey = 'signpost.resume';

interface ReturnState {
  path: string;
}

/** Signs people in at the OpenID provider by authorization code with PKCE. Tokens stay in memory. */
class Provider {
  readonly #manager: UserManager;

  constructor({ issuer, clientId, scope, audience }: NonNullable<typeof settings.provider>) {
    this.#manager = new UserManager({
      authority: issuer,
      client_id: clientId,
      scope,
      redirect_uri: consoleUrl,
      post_logout_redirect_uri: consoleUrl,
      silent_redirect_uri: new URL('silent-renew.html', consoleUrl).href,
      response_type: 'code',
      automaticSilentRenew: true,
      // Providers that serve several APIs select one by it; others ignore it.
      extraQueryParams: { audience },
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
    });
  }

  /**
   * Completes a sign-in that returns from the provider, or resumes that of the tab. Returns the person's name, or null if nobody
   * is signed in.
   */
  async resume(onRenewal: (renewed: boolean) => void): Promise<string | null> {
    this.#manager.events.addUserLoaded(() => onRenewal(true));
    this.#manager.events.addAccessTokenExpired(() => onRenewal(false));
    const parameters = new URLSearchParams(location.search);
    const wasResuming = sessionStorage.getItem(resumeKey) === 'asked';
    if (parameters.has('state') && (parameters.has('code') || parameters.has('error'))) {
      sessionStorage.removeItem(resumeKey);
      try {
        const user = await this.#manager.signinCallback();
        const { path } = (user?.state ?? { path: '/console/' }) as ReturnState;
        history.replaceState(null, '', path);
        sessionStorage.setItem(resumeKey, 'signed-in');
        return user ? nameOf(user) : null;
      } catch (error) {
        history.replaceState(null, '', '/console/');
        // The provider has no session any more, which is the usual end of one.
        if (wasResuming) return null;
        throw error;
      }
    }
    if (sessionStorage.getItem(resumeKey) !== 'signed-in') return null;
    sessionStorage.setItem(resumeKey, 'asked');
    await this.#manager.signinRedirect({ prompt: 'none', state: here() });
    return new Promise(() => {});
  }

  async signIn(): Promise<void> {
    await this.#manager.signinRedirect({ state: here() });
  }

  async accessToken(): Promise<string> {
    const user = await this.#manager.getUser();
    return user?.access_token ?? '';
  }

  async signOut(): Promise<void> {
    sessionStorage.removeItem(resumeKey);
    await this.#manager.signoutRedirect();
  }
}

const here = (): ReturnState => ({ path: location.pathname + location.search });

const nameOf = ({ profile }: User): string => profile.name ?? profile.email ?? profile.sub;

export const provider = new Provider(settings.provider!);
