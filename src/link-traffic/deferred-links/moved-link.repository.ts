import type { ClaimedLink } from './deferred-link';

/** Claims tokens outside the region that issued them. That region moves them to the primary first. */
export abstract class MovedLinkRepository {
  /**
   * Asks the region for the token, and claims it once in the primary. Returns null if it is unknown, used or expired.
   * @param region the code of the region that issued the token
   * @throws DatabaseUnavailable if the region does not answer in time; a later claim may succeed
   */
  abstract claim(projectId: string, token: string, region: number): Promise<ClaimedLink | null>;
}
