import {
  type ClaimedLink,
  type DeferredLink,
  keptAfterExpiryMs,
  plainClaim,
  tokenLifetimeMs,
  type TokenVisit,
} from '../../../src/link-traffic/deferred-links/deferred-link';
import { DeferredLinkRepository } from '../../../src/link-traffic/deferred-links/deferred-link.repository';

/** Stores links in memory. Writes can be made to fail or hang. */
export class FakeDeferredLinks extends DeferredLinkRepository {
  readonly stored = new Map<string, DeferredLink & { clickedAt: Date; claimId?: string | null }>();
  /** The number of links of each write. */
  readonly writes: number[] = [];
  failure: Error | null = null;
  /** Delays writes until it resolves. */
  until: Promise<void> = Promise.resolve();

  /** @param links the dynamic links by id */
  constructor(
    private readonly links: Map<string, Omit<ClaimedLink, 'clickedAt'>>,
    private readonly liveProjects: Set<string>,
  ) {
    super();
  }

  async insertAll(links: readonly DeferredLink[]): Promise<void> {
    this.writes.push(links.length);
    await this.until;
    if (this.failure) throw this.failure;
    for (const link of links)
      if (this.liveProjects.has(link.projectId) && !this.stored.has(link.token)) {
        const clickedAt = new Date(Date.now() - (performance.now() - link.visitedAtMs));
        this.stored.set(link.token, { ...link, clickedAt });
      }
  }

  async claim(projectId: string, token: string, { id: claimId } = plainClaim) {
    const found = this.stored.get(token);
    const isRepeated = claimId !== null && found?.claimId === claimId;
    if (found?.projectId !== projectId || (expiredForMs(found) >= 0 && !isRepeated)) return null;
    this.stored.set(token, { ...found, lifetimeMs: 0, claimId });
    const link = this.links.get(found.dynamicLinkId);
    return link ? { ...link, clickedAt: found.clickedAt } : null;
  }

  async find(projectId: string, token: string): Promise<TokenVisit | null> {
    const found = this.stored.get(token);
    if (found?.projectId !== projectId) return null;
    const { dynamicLinkId, browser, lifetimeMs } = found;
    const platform = lifetimeMs > tokenLifetimeMs.ios ? 'android' : 'ios';
    return { dynamicLinkId, browser, platform, isValid: expiredForMs(found) < 0 };
  }

  async isMoved(): Promise<boolean> {
    return false;
  }

  async purgeExpired(limit: number): Promise<number> {
    const expired = [...this.stored.values()].filter((link) => expiredForMs(link) >= keptAfterExpiryMs).slice(0, limit);
    for (const { token } of expired) this.stored.delete(token);
    return expired.length;
  }
}

const expiredForMs = ({ visitedAtMs, lifetimeMs }: DeferredLink): number =>
  performance.now() - visitedAtMs - lifetimeMs;

/** Stands for an installation in which no other region has issued tokens. */
export class NoMovedLinks {
  async claim(): Promise<null> {
    return null;
  }

  async find(): Promise<null> {
    return null;
  }
}
