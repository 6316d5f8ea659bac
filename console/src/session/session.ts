import { settings } from '../app/settings';

export type SessionState =
  | { kind: 'starting' }
  | { kind: 'signed-out'; expired: boolean; failure?: string }
  | { kind: 'key' }
  | { kind: 'person'; name: string };

/** Kept for the tab: the browser deletes it with the tab. */
const storageKey = 'signpost.api-key';
const fragmentName = 'key';

/** Holds the credential of the tab, and tells pages when it changes. */
class Session {
  #state: SessionState = { kind: 'starting' };
  #key: string | null = null;
  readonly #listeners = new Set<() => void>();

  get state(): SessionState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Signs in by the key in the address, by the key of the tab, or by the provider's answer. */
  async start(): Promise<void> {
    const key = takeKeyFromFragment() ?? sessionStorage.getItem(storageKey);
    if (key !== null) return this.signInWithKey(key);
    if (!settings.provider) return this.#set({ kind: 'signed-out', expired: false });
    const { provider } = await import('./provider');
    try {
      const name = await provider.resume((renewed) => this.#onRenewal(renewed));
      this.#set(name === null ? { kind: 'signed-out', expired: false } : { kind: 'person', name });
    } catch (error) {
      this.#set({
        kind: 'signed-out',
        expired: false,
        failure: error instanceof Error ? error.message : String(error),
      });
    }
  }

  signInWithKey(key: string): void {
    sessionStorage.setItem(storageKey, key);
    this.#key = key;
    this.#set({ kind: 'key' });
  }

  async signInAtProvider(): Promise<void> {
    const { provider } = await import('./provider');
    await provider.signIn();
  }

  /** Returns the credential of the next request. */
  async token(): Promise<string> {
    if (this.#key !== null) return this.#key;
    const { provider } = await import('./provider');
    return provider.accessToken();
  }

  /** Ends the session in this tab, and at the provider if it began there. */
  async signOut(): Promise<void> {
    const atProvider = this.#state.kind === 'person';
    this.#forget(false);
    if (!atProvider) return;
    const { provider } = await import('./provider');
    await provider.signOut();
  }

  /** Asks for a new sign-in, because the service refused the credential. */
  expire(): void {
    if (this.#state.kind === 'key' || this.#state.kind === 'person') this.#forget(true);
  }

  #forget(expired: boolean): void {
    sessionStorage.removeItem(storageKey);
    this.#key = null;
    this.#set({ kind: 'signed-out', expired });
  }

  #onRenewal(renewed: boolean): void {
    if (!renewed) this.expire();
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** Takes the key out of the address, so that it stays neither in the history nor in a copied link. */
function takeKeyFromFragment(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get(fragmentName);
  if (key === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}

export const session = new Session();
