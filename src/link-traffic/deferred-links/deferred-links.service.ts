import type { Clock } from '../../shared/clock';
import { type ClaimedLink, type DeferredLink, lifetimes, looksLikeToken, newToken } from './deferred-link';
import type { DeferredLinkRepository } from './deferred-link.repository';

/** Milliseconds that a token may wait to be written. Nobody installs an app in less. */
const writeInterval = 100;

/** Tokens that wait at most, while the database does not answer; more visits go on without one. */
const mostWaiting = 20_000;

/** Tokens written by one statement. */
const batch = 1000;

/** Milliseconds between two looks for expired ones, and how many are removed by one statement. */
const purgeInterval = 10 * 60_000;
const purgeBatch = 5000;

/** Hands out the tokens of deferred deep links, and redeems them. Visitors never wait for what is written here. */
export class DeferredLinksService {
  #waiting: DeferredLink[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  readonly #purgeTimer: NodeJS.Timeout;

  constructor(
    private readonly links: DeferredLinkRepository,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#purgeTimer = setInterval(() => void this.purge(), purgeInterval).unref();
  }

  /** Tokens that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** A token for a visit, written down soon. Null while too many wait to be. */
  issue(platform: keyof typeof lifetimes, projectId: string, dynamicLinkId: string): string | null {
    if (this.#waiting.length >= mostWaiting) return null;
    const now = this.clock.now();
    const token = newToken();
    this.#waiting.push({
      token,
      projectId,
      dynamicLinkId,
      clickedAt: new Date(now),
      expiresAt: new Date(now + lifetimes[platform]),
    });
    this.#writeIn(writeInterval);
    return token;
  }

  /**
   * The link, the first time. Null for a token that is unknown, used or expired, or another project's.
   * @throws what the database says, also where it has not taken the token yet: null would have the app throw it away
   */
  async claim(projectId: string, token: unknown): Promise<ClaimedLink | null> {
    if (!looksLikeToken(token)) return null;
    if (this.#waiting.some((link) => link.token === token)) await this.#write();
    return this.links.claim(projectId, token, new Date(this.clock.now()));
  }

  /** Any number of processes may do it at once. */
  async purge(): Promise<void> {
    try {
      while ((await this.links.purgeExpired(new Date(this.clock.now()), purgeBatch)) === purgeBatch);
    } catch (error) {
      this.onError(error);
    }
  }

  /** Writes what waits, or tries to, once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#purgeTimer);
    clearTimeout(this.#timer);
    await this.#tryToWrite();
  }

  #writeIn(milliseconds: number): void {
    if (!this.#stopped) this.#timer ??= setTimeout(() => this.#onTimer(), milliseconds).unref();
  }

  #onTimer(): void {
    this.#timer = undefined;
    void this.#tryToWrite();
  }

  async #tryToWrite(): Promise<void> {
    await this.#write().catch(() => {}); // it has been told, and is tried again
  }

  /** Whoever wants it meanwhile waits for the same one: behind a frozen database a queue would outlive them all. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const links = this.#waiting.slice(0, batch);
        await this.links.insertAll(links);
        this.#waiting = this.#waiting.slice(links.length);
      }
    } catch (error) {
      this.onError(error);
      // Visits that came meanwhile wanted it sooner.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writeIn(10 * writeInterval);
      throw error;
    }
  }
}
