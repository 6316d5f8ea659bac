import {
  type ClaimedLink,
  type DeferredLink,
  isTokenFormat,
  newToken,
  primaryCode,
  regionOf,
  tokenLifetimeMs,
} from './deferred-link';
import type { DeferredLinkRepository } from './deferred-link.repository';
import type { PgMovedLinkRepository } from './pg-moved-link.repository';

/** Shorter than any app installation, so that a token is stored before its claim. */
const writeIntervalMs = 100;

/** Bounds memory while the database is unavailable. Further visits get no token. */
const maxWaitingTokens = 20_000;

const tokensPerInsert = 1000;

const purgeIntervalMs = 10 * 60_000;
const linksPerPurge = 5000;

/** Issues and claims the tokens of deferred deep links. Writes in the background, so that visitors never wait for them. */
export class DeferredLinksService {
  #waiting: DeferredLink[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  readonly #purgeTimer: NodeJS.Timeout;

  constructor(
    private readonly links: DeferredLinkRepository,
    /** Tokens of other regions. */
    private readonly movedLinks: Pick<PgMovedLinkRepository, 'claim'>,
    private readonly onError: (error: unknown) => void,
    /** The code of the region that issues tokens. */
    private readonly region: number = primaryCode,
  ) {
    this.#purgeTimer = setInterval(() => void this.purge(), purgeIntervalMs).unref();
  }

  /** The number of tokens that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Issues a token and schedules its write. Returns null while too many tokens wait. */
  issue(platform: keyof typeof tokenLifetimeMs, projectId: string, dynamicLinkId: string): string | null {
    if (this.#waiting.length >= maxWaitingTokens) return null;
    const token = newToken(this.region);
    this.#waiting.push({
      token,
      projectId,
      dynamicLinkId,
      visitedAtMs: performance.now(),
      lifetimeMs: tokenLifetimeMs[platform],
    });
    this.#scheduleWrite(writeIntervalMs);
    return token;
  }

  /**
   * Claims a token once. Returns null if it is unknown, used or expired, or belongs to another project.
   * @throws the database error, also of the pending write, because null would make the app discard the token
   */
  async claim(projectId: string, token: unknown): Promise<ClaimedLink | null> {
    if (!isTokenFormat(token)) return null;
    if (this.#waiting.some((link) => link.token === token)) await this.#write();
    return (await this.links.claim(projectId, token)) ?? this.#claimMoved(projectId, token);
  }

  /** Claims a token that another region issued, or that was moved out of this region because another one asked for it. */
  async #claimMoved(projectId: string, token: string): Promise<ClaimedLink | null> {
    const issuer = regionOf(token);
    if (issuer === this.region && (issuer === primaryCode || !(await this.links.isMoved(token)))) return null;
    return this.movedLinks.claim(projectId, token, issuer);
  }

  /** Deletes expired links. Safe to run in several processes at once. */
  async purge(): Promise<void> {
    try {
      while ((await this.links.purgeExpired(linksPerPurge)) === linksPerPurge);
    } catch (error) {
      this.onError(error);
    }
  }

  /** Stops the timers and tries once to write the waiting tokens. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#purgeTimer);
    clearTimeout(this.#timer);
    await this.#tryToWrite();
  }

  #scheduleWrite(delayMs: number): void {
    if (!this.#stopped) this.#timer ??= setTimeout(() => this.#onTimer(), delayMs).unref();
  }

  #onTimer(): void {
    this.#timer = undefined;
    void this.#tryToWrite();
  }

  async #tryToWrite(): Promise<void> {
    await this.#write().catch(() => {}); // already reported, and scheduled again
  }

  /** Shares a running write, because a queue of writes would grow while the database hangs. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const links = this.#waiting.slice(0, tokensPerInsert);
        await this.links.insertAll(links);
        this.#waiting = this.#waiting.slice(links.length);
      }
    } catch (error) {
      this.onError(error);
      // Visits during the write scheduled an earlier one.
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#scheduleWrite(10 * writeIntervalMs);
      throw error;
    }
  }
}
