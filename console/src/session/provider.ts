import {
  ErrorResponse,
  ErrorTimeout,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { settings } from '../app/settings';
import { stored } from './stored';

const consoleUrl = new URL('/console/', location.origin).href;

/** Renewal begins so long before the access token expires. */
const renewBeforeExpirySeconds = 60;
const retryDelayMs = 10_000;

interface ReturnState {
  path: string;
}

interface RenewalListeners {
  onRenewed: () => void;
  /** The provider has not renewed the tokens. They are valid until then. */
  onNotRenewed: (endsAt: Date) => void;
  /** The tokens have expired, and the provider does not renew them. */
  onExpired: () => void;
}

/** Signs people in at the OpenID provider by authorization code with PKCE. Tokens stay in memory. */
class Provider {
  readonly #manager: UserManager;
  #renewal: Promise<User | null> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor({ issuer, clientId, scope, audience }: NonNullable<typeof settings.provider>) {
    this.#manager = new UserManager({
      authority: issuer,
      client_id: clientId,
      scope,
      redirect_uri: consoleUrl,
      post_logout_redirect_uri: consoleUrl,
      silent_redirect_uri: new URL('silent-renew.html', consoleUrl).href,
      response_type: 'code',
      // The renewal of the library gives up after the first failure.
      automaticSilentRenew: false,
      accessTokenExpiringNotificationTimeInSeconds: renewBeforeExpirySeconds,
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
  async resume(listeners: RenewalListeners): Promise<string | null> {
    this.#manager.events.addAccessTokenExpiring(() => this.#keepSignedIn(listeners));
    this.#manager.events.addAccessTokenExpired(() => this.#keepSignedIn(listeners));
    const parameters = new URLSearchParams(location.search);
    const wasResuming = sessionStorage.getItem(stored.resume) === 'asked';
    if (parameters.has('state') && (parameters.has('code') || parameters.has('error'))) {
      sessionStorage.removeItem(stored.resume);
      try {
        const user = await this.#manager.signinCallback();
        const { path } = (user?.state ?? { path: '/console/' }) as ReturnState;
        history.replaceState(null, '', path);
        sessionStorage.setItem(stored.resume, 'signed-in');
        return user ? nameOf(user) : null;
      } catch (error) {
        // The answer belongs to a request of this page, which knows where it was.
        const asked = error instanceof ErrorResponse ? (error.state as ReturnState | undefined) : undefined;
        history.replaceState(null, '', asked?.path ?? '/console/');
        // The provider has no session any more, which is the usual end of one.
        if (wasResuming) return null;
        throw error;
      }
    }
    if (sessionStorage.getItem(stored.resume) !== 'signed-in') return null;
    sessionStorage.setItem(stored.resume, 'asked');
    await this.#manager.signinRedirect({ prompt: 'none', state: here() });
    return new Promise(() => {});
  }

  async signIn(): Promise<void> {
    await this.#manager.signinRedirect({ state: here() });
  }

  /** Returns a valid token, which is new if a sleeping computer missed the renewal. */
  async accessToken(): Promise<string> {
    const user = await this.#manager.getUser();
    const current = user?.expired ? await this.#renew() : user;
    return current?.access_token ?? '';
  }

  async signOut(): Promise<void> {
    clearTimeout(this.#retry);
    sessionStorage.removeItem(stored.resume);
    await this.#manager.signoutRedirect();
  }

  /** Renews the tokens. Failures without a refusal of the provider are tried again, also after the tokens have expired. */
  async #keepSignedIn(listeners: RenewalListeners): Promise<void> {
    clearTimeout(this.#retry);
    try {
      if (await this.#renew()) listeners.onRenewed();
    } catch (error) {
      const user = await this.#manager.getUser();
      if (!user) return;
      const isUnanswered = isUnansweredFrame(error, user);
      if (user.expired && (isUnanswered || isRefusal(error))) return listeners.onExpired();
      if (isUnanswered || isRefusal(error)) listeners.onNotRenewed(new Date(user.expires_at! * 1000));
      if (isRefusal(error)) return;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => void this.#keepSignedIn(listeners), retryDelayMs);
    }
  }

  /** Callers that arrive meanwhile share one request, because a refresh token may be valid once. */
  #renew(): Promise<User | null> {
    this.#renewal ??= this.#manager.signinSilent().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }
}

/** Codes of OAuth for providers that cannot answer now. */
const outages = new Set<string | null>(['server_error', 'temporarily_unavailable']);

/** Returns whether the provider refuses to renew the tokens. A proxy that answers 503 does not speak for it. */
const isRefusal = (error: unknown): boolean => error instanceof ErrorResponse && !outages.has(error.error);

/**
 * Returns whether a hidden frame got no answer. A provider that refuses to be framed looks the same as one that is unreachable, so the
 * sign-in ends with its tokens. With refresh tokens there is no frame.
 */
const isUnansweredFrame = (error: unknown, { refresh_token }: User): boolean =>
  error instanceof ErrorTimeout && refresh_token === undefined;

const here = (): ReturnState => ({ path: location.pathname + location.search });

const nameOf = ({ profile }: User): string => profile.name ?? profile.email ?? profile.sub;

export const provider = new Provider(settings.provider!);
