import { settings } from '../app/settings';
import { isLeaveAsked } from '../components/use-leave-question';
import { takeKeyFromAddress } from './api-key';
import { stored } from './stored';

export type SignInFailure =
  | { kind: 'invalid-link' | 'still-at-provider' | 'refused-key' }
  | { kind: 'provider'; message: string };

export type SessionState =
  | { kind: 'starting' }
  | SignedOut
  | { kind: 'key' }
  /** `endsAt` is set if the provider has not renewed the tokens. They are valid until then. */
  | { kind: 'person'; name: string; endsAt: Date | null };

export interface SignedOut {
  kind: 'signed-out';
  expired: boolean;
  /** Whether the page has changes that are not saved, and so stays below the question for a sign-in. */
  keepsPage?: boolean;
  failure?: SignInFailure | undefined;
}

/** Holds the credential of the tab, and tells pages when it changes. */
class Session {
  #state: SessionState = { kind: 'starting' };
  #key: string | null = null;
  /** Whether the service has accepted the key, or the key comes from an earlier load of the tab. */
  #isKeyAccepted = false;
  #offer: { key: string; answer: (isAccepted: boolean) => void } | null = null;
  readonly #listeners = new Set<() => void>();

  get state(): SessionState {
    return this.#state;
  }

  /** The key of a link, while the reader decides whether to use it. */
  get offeredKey(): string | null {
    return this.#offer?.key ?? null;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Signs in by the key of the tab, by the key in the address, or at the provider. */
  async start(): Promise<void> {
    addEventListener('hashchange', () => void this.#onKeyInAddress());
    const key = sessionStorage.getItem(stored.key);
    if (key !== null) {
      this.signInWithKey(key);
      this.#isKeyAccepted = true;
      return this.#onKeyInAddress();
    }
    const linked = takeKeyFromAddress();
    // People sign in at the provider, so a link with a key may be a trap.
    if (linked !== null && linked !== 'invalid' && (!settings.provider || (await this.#offered(linked.key))))
      return this.signInWithKey(linked.key);
    const failure: SignInFailure | undefined = linked === 'invalid' ? { kind: 'invalid-link' } : undefined;
    if (!settings.provider) return this.#set({ kind: 'signed-out', expired: false, failure });
    await this.#resume(failure);
  }

  signInWithKey(key: string): void {
    sessionStorage.setItem(stored.key, key);
    sessionStorage.removeItem(stored.resume);
    this.#key = key;
    this.#isKeyAccepted = false;
    this.#set({ kind: 'key' });
  }

  /** Notes that the service answers requests with the credential. */
  onAccepted(): void {
    this.#isKeyAccepted = true;
  }

  /** Ends the page below the question for a sign-in, because another account signs in. */
  leavePage(): void {
    this.#set({ kind: 'signed-out', expired: true });
  }

  /** Ends the question whether to use the key of a link. */
  answerOffer(isAccepted: boolean): void {
    const offer = this.#offer;
    this.#offer = null;
    this.#tell();
    offer?.answer(isAccepted);
  }

  async signInAtProvider(): Promise<void> {
    try {
      const { provider } = await import('./provider');
      await provider.signIn();
    } catch (error) {
      if (this.#state.kind === 'signed-out') this.#fail(error);
    }
  }

  /**
   * Returns the credential of the next request.
   * @throws DOMException with the name AbortError, if another account signs in meanwhile
   */
  async token(): Promise<string> {
    // The page that stays below the question for a sign-in goes on after it, but not with the key of another account.
    if (this.#state.kind === 'signed-out' && this.#state.keepsPage) {
      const next = await this.#nextState();
      if (next.kind === 'signed-out') throw new DOMException('The page was left.', 'AbortError');
    }
    if (this.#key !== null) return this.#key;
    const { provider } = await import('./provider');
    return provider.accessToken();
  }

  /** Ends the session in this tab, and at the provider if it began there. */
  async signOut(): Promise<void> {
    const atProvider = this.#state.kind === 'person';
    this.#forget({ kind: 'signed-out', expired: false });
    if (!atProvider) return;
    const { provider } = await import('./provider');
    try {
      await provider.signOut();
    } catch {
      this.#set({ kind: 'signed-out', expired: false, failure: { kind: 'still-at-provider' } });
    }
  }

  /** Asks for a new sign-in, because the service refused the credential. A page with changes that are not saved stays. */
  expire(): void {
    if (this.#state.kind !== 'key' && this.#state.kind !== 'person') return;
    if (this.#state.kind === 'key' && !this.#isKeyAccepted)
      this.#forget({ kind: 'signed-out', expired: false, failure: { kind: 'refused-key' } });
    else this.#forget({ kind: 'signed-out', expired: true, keepsPage: isLeaveAsked() });
  }

  /**
   * Asks before a link changes the account. Another site can open such a link, and the reader would enter data into an account
   * that is not theirs.
   */
  async #onKeyInAddress(): Promise<void> {
    const linked = takeKeyFromAddress();
    if (linked === null || linked === 'invalid' || linked.key === this.#key) return;
    if (this.#state.kind === 'signed-out' && !settings.provider) return this.signInWithKey(linked.key);
    if (!(await this.#offered(linked.key))) return;
    sessionStorage.setItem(stored.key, linked.key);
    sessionStorage.removeItem(stored.resume);
    // Nothing of the other account stays in memory.
    location.reload();
  }

  #offered(key: string): Promise<boolean> {
    this.answerOffer(false);
    return new Promise((answer) => {
      this.#offer = { key, answer };
      this.#tell();
    });
  }

  async #resume(failure: SignInFailure | undefined): Promise<void> {
    const { provider } = await import('./provider');
    try {
      const name = await provider.resume({
        onRenewed: () => this.#onEnd(null),
        onNotRenewed: (endsAt) => this.#onEnd(endsAt),
        onExpired: () => this.expire(),
      });
      this.#set(
        name === null ? { kind: 'signed-out', expired: false, failure } : { kind: 'person', name, endsAt: null },
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#set({ kind: 'signed-out', expired: false, failure: { kind: 'provider', message } });
  }

  #onEnd(endsAt: Date | null): void {
    if (this.#state.kind === 'person') this.#set({ ...this.#state, endsAt });
  }

  #forget(state: SignedOut): void {
    sessionStorage.removeItem(stored.key);
    this.#key = null;
    this.#set(state);
  }

  #nextState(): Promise<SessionState> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop();
        resolve(this.#state);
      });
    });
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const session = new Session();
