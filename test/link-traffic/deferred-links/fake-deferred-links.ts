import type { ClaimedLink, DeferredLink } from '../../../src/link-traffic/deferred-links/deferred-link';
import { DeferredLinkRepository } from '../../../src/link-traffic/deferred-links/deferred-link.repository';

/** In memory. Its writes can be made to fail, or to hang. */
export class FakeDeferredLinks extends DeferredLinkRepository {
  readonly stored = new Map<string, DeferredLink>();
  /** How many each write brought. */
  readonly writes: number[] = [];
  failure: Error | null = null;
  /** What a write waits for. */
  until: Promise<void> = Promise.resolve();

  /** @param links what is known of links, by id; those of deleted projects are not among them */
  constructor(
    private readonly links: Map<string, Pick<ClaimedLink, 'customPath' | 'referrerParams'>>,
    private readonly liveProjects: Set<string>,
  ) {
    super();
  }

  async insertAll(links: readonly DeferredLink[]): Promise<void> {
    this.writes.push(links.length);
    await this.until;
    if (this.failure) throw this.failure;
    for (const link of links)
      if (this.liveProjects.has(link.projectId) && !this.stored.has(link.token)) this.stored.set(link.token, link);
  }

  async claim(projectId: string, token: string, now: Date): Promise<ClaimedLink | null> {
    const found = this.stored.get(token);
    if (found?.projectId !== projectId || found.expiresAt <= now) return null;
    this.stored.delete(token);
    const link = this.links.get(found.dynamicLinkId);
    return link ? { ...link, clickedAt: found.clickedAt } : null;
  }

  async purgeExpired(now: Date, batch: number): Promise<number> {
    const expired = [...this.stored.values()].filter((link) => link.expiresAt <= now).slice(0, batch);
    for (const { token } of expired) this.stored.delete(token);
    return expired.length;
  }
}
