import type { ClaimedLink, DeferredLink } from './deferred-link';

export abstract class DeferredLinkRepository {
  /** Those of projects that are deleted by now are dropped: their purge may be through. */
  abstract insertAll(links: readonly DeferredLink[]): Promise<void>;
  /** Of several claims of one token one gets the link. Null where it is unknown, used, expired, or its link is gone. */
  abstract claim(projectId: string, token: string, now: Date): Promise<ClaimedLink | null>;
  /** Removes up to `batch` that expired before `now`, and tells how many it removed. */
  abstract purgeExpired(now: Date, batch: number): Promise<number>;
}
