import type { Clock } from '../shared/clock';
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
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  readonly #purgeTimer: NodeJS.Timeout;

  constructor(
    private readonly links: DeferredLinkRepository,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#purgeTimer = setInterval(() => void this.purge(), purgeInterval).unref();
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
    this.#timer ??= setTimeout(() => void this.#write(), writeInterval).unref();
    return token;
  }

  /** The link, the first time. Null for a token that is unknown, used or expired, or another project's. */
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

  /** Writes what waits. */
  async stop(): Promise<void> {
    clearInterval(this.#purgeTimer);
    await this.#write();
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      while (this.#waiting.length > 0) {
        const links = this.#waiting.slice(0, batch);
        try {
          await this.links.insertAll(links);
        } catch (error) {
          this.onError(error);
          this.#timer ??= setTimeout(() => void this.#write(), 10 * writeInterval).unref();
          return;
        }
        this.#waiting = this.#waiting.slice(links.length);
      }
    });
    return this.#writing;
  }
}
