import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DatabaseUnavailable } from '../../platform/postgres/database-error';
import { type ClaimedLink, digestOfToken, plainClaim, primaryCode, type TokenVisit } from './deferred-link';
import { PgDeferredLinkRepository } from './pg-deferred-link.repository';

/** Shorter than the limit of a response, and several times the interval at which regions look for requests. */
const answerTimeoutMs = 3000;

const pollIntervalMs = 100;

/** Claims at once in this process. With more, each would wait too long for one of the few connections. */
const maxClaims = 20;

/** Claims in the database of the primary, and asks regions there (`request_deferred_link`). */
export class PgMovedLinkRepository {
  readonly #links: PgDeferredLinkRepository;
  #claims = 0;

  constructor(
    private readonly primary: Pool,
    countsClaims = true,
  ) {
    this.#links = new PgDeferredLinkRepository(primary, countsClaims);
  }

  /**
   * Asks the region for the token, and claims it once in the primary. Returns null if it is unknown, used or expired.
   * @param region the code of the region that issued the token
   * @throws DatabaseUnavailable if the region does not answer in time; a later claim may succeed
   */
  async claim(projectId: string, token: string, region: number, claim = plainClaim): Promise<ClaimedLink | null> {
    if (this.#claims >= maxClaims) throw new DatabaseUnavailable(new Error('too many claims wait for other regions'));
    this.#claims++;
    try {
      return await this.#claim(token, region, () => this.#links.claim(projectId, token, claim));
    } finally {
      this.#claims--;
    }
  }

  /** Returns null if only the region has the token. */
  find(projectId: string, token: string): Promise<TokenVisit | null> {
    return this.#links.find(projectId, token);
  }

  async #claim(token: string, region: number, claim: () => Promise<ClaimedLink | null>): Promise<ClaimedLink | null> {
    const giveUpAt = performance.now() + answerTimeoutMs;
    const claimed = await claim();
    if (claimed || region === primaryCode) return claimed;
    for (;;) {
      const answer = await this.#request(token, region);
      if (answer === 'none') return null;
      if (answer === 'moved') return claim();
      if (performance.now() > giveUpAt)
        throw new DatabaseUnavailable(new Error(`region ${region} did not answer for a token`));
      await sleep(pollIntervalMs);
    }
  }

  async #request(token: string, region: number): Promise<'open' | 'moved' | 'none'> {
    const { rows } = await this.primary.query<{ answer: 'open' | 'moved' | 'none' }>(
      'SELECT request_deferred_link($1, $2) AS answer',
      [digestOfToken(token), region],
    );
    return rows[0]!.answer;
  }
}
