import type { Claim, ClaimedLink, DeferredLink, TokenVisit } from './deferred-link';

/** Stores links until they expire, by the clock of the database. */
export abstract class DeferredLinkRepository {
  /**
   * Inserts links, and counts their steps. Drops links of deleted projects, because their purge may be complete. A repeated insertion changes nothing, even if
   * the token was claimed meanwhile.
   */
  abstract insertAll(links: readonly DeferredLink[]): Promise<void>;
  /**
   * Claims a token atomically, and counts the claim. Returns null if it is unknown, used or expired, or if its link is deleted,
   * disabled or locked.
   */
  abstract claim(projectId: string, token: string, claim?: Claim): Promise<ClaimedLink | null>;
  /** Returns null for an unknown token, one of another project, and an hour after its end. */
  abstract find(projectId: string, token: string): Promise<TokenVisit | null>;
  /** Returns whether only the primary can claim the token. */
  abstract isMoved(token: string): Promise<boolean>;
  /** Deletes at most `limit` links that expired, or were claimed, an hour ago or earlier; returns the number deleted. */
  abstract purgeExpired(limit: number): Promise<number>;
}
