import type { Caller } from '../accounts/caller';

/** The caller that a key authenticates, and the key's expiry. */
export interface KnownKey {
  caller: Caller & { apiKeyId: string };
  /** When the key expires by the clock of the database, as `performance.now()`; Infinity if it does not expire. */
  validUntilMs: number;
}

/** Finds callers by their keys, and stores when keys were used. */
export abstract class CallerRepository {
  /** Returns null if the key is unknown, revoked or expired. */
  abstract find(digest: Buffer): Promise<KnownKey | null>;

  /**
   * Moves the last use of each key forward to the minute of the use by the clock of the database, never back.
   * @param lastUses times of uses, by `performance.now`
   */
  abstract touch(lastUses: ReadonlyMap<string, number>): Promise<void>;
}
