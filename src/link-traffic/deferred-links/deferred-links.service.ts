import { BackgroundWriter } from '../recording/background-writer';
import {
  type Claim,
  type ClaimedLink,
  type DeferredLink,
  isTokenFormat,
  newToken,
  plainClaim,
  primaryCode,
  regionOf,
  tokenLifetimeMs,
  type TokenVisit,
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
  readonly #writer: BackgroundWriter<DeferredLink>;
  readonly #purgeTimer: NodeJS.Timeout;

  constructor(
    private readonly links: DeferredLinkRepository,
    private readonly movedLinks: Pick<PgMovedLinkRepository, 'claim' | 'find'>,
    private readonly onError: (error: unknown) => void,
    private readonly region: number = primaryCode,
  ) {
    const limits = { intervalMs: writeIntervalMs, perWrite: tokensPerInsert, waiting: maxWaitingTokens };
    this.#writer = new BackgroundWriter((tokens) => links.insertAll(tokens), limits, onError);
    this.#purgeTimer = setInterval(() => void this.purge(), purgeIntervalMs).unref();
  }

  get waiting(): number {
    return this.#writer.waiting.length;
  }

  /** Issues a token and schedules its write. Returns null while too many tokens wait. */
  issue(
    platform: keyof typeof tokenLifetimeMs,
    projectId: string,
    dynamicLinkId: string,
    browser: string,
    step: DeferredLink['step'],
  ): string | null {
    if (this.#writer.isFull) return null;
    const token = newToken(this.region);
    this.#writer.add({
      token,
      projectId,
      dynamicLinkId,
      visitedAtMs: performance.now(),
      lifetimeMs: tokenLifetimeMs[platform],
      browser,
      step,
    });
    return token;
  }

  /**
   * Claims a token once, by its id again for an hour. Returns null if it is unknown, used or expired, or belongs to another project.
   * @throws the database error, also of the pending write, because null would make the app discard the token
   */
  async claim(projectId: string, token: unknown, claim = plainClaim): Promise<ClaimedLink | null> {
    if (!isTokenFormat(token)) return null;
    await this.#writeIfWaiting(token);
    return (await this.links.claim(projectId, token, claim)) ?? this.#claimMoved(projectId, token, claim);
  }

  /**
   * Returns the visit of a token, also of one that was claimed within the hour. Returns null if neither this region nor the primary has it.
   * @throws the database error, also of the pending write
   */
  async find(projectId: string, token: string): Promise<TokenVisit | null> {
    await this.#writeIfWaiting(token);
    const visit = await this.links.find(projectId, token);
    const isIssuedHere = this.region === primaryCode || regionOf(token) === this.region;
    return visit || isIssuedHere ? visit : this.movedLinks.find(projectId, token);
  }

  async #writeIfWaiting(token: string): Promise<void> {
    if (this.#writer.waiting.some((link) => link.token === token)) await this.#writer.write();
  }

  /** Claims a token that another region issued, or that was moved out of this region because another one asked for it. */
  async #claimMoved(projectId: string, token: string, claim: Claim): Promise<ClaimedLink | null> {
    const issuer = regionOf(token);
    if (issuer === this.region && (issuer === primaryCode || !(await this.links.isMoved(token)))) return null;
    return this.movedLinks.claim(projectId, token, issuer, claim);
  }

  /** Deletes expired links. Safe to run in several processes at once. */
  async purge(): Promise<void> {
    try {
      while ((await this.links.purgeExpired(linksPerPurge)) === linksPerPurge);
    } catch (error) {
      this.onError(error);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#purgeTimer);
    await this.#writer.stop();
  }
}
