import type { ServerResponse } from 'node:http';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';
import { formBody } from '../../api-kit/kit/form-body';
import { PayloadTooLarge } from '../../api-kit/kit/http.errors';
import type { LinkLock } from '../../link-routing/visited-link/visited-link';
import type { ClientAddresses } from '../../platform/http/client-address';
import { countRequest } from '../../platform/rate-limit/rate-limit';
import { RateLimited } from '../../platform/rate-limit/rate-limit.errors';
import type { Clock } from '../../shared/clock';
import { isPassword } from '../../shared/password-hash';
import type { Exchange } from '../exchange';
import type { PgLinkUsesRepository } from './pg-link-uses.repository';

/** Per minute. Many people may share an address, and passwords are guessed from many. */
export const lockLimits = { passwordsOfAddress: 10, passwordsOfLink: 60, buttonsOfAddress: 600 };

/** Passwords of a link, and of all links, that are checked or wait for it. */
const maxWaiting = { ofAccount: 10, ofProcess: 40 };

export type Opening = 'open' | 'closed' | 'wrong' | 'busy' | 'used_up';

/** Opens locked links for visitors who send the form of the page. */
export class LockedLinks {
  readonly #passwords = new ConcurrencyLimits(maxWaiting, () => new TooManyAtOnce(1, 'Too many passwords are checked'));

  constructor(
    private readonly uses: Pick<PgLinkUsesRepository, 'use'>,
    private readonly addresses: ClientAddresses,
    private readonly counts: ThrottlerStorage,
    private readonly clock: Clock,
  ) {}

  /** Checks the password, and then uses up a click. Sets headers of the limits. */
  async open({ id, lock }: { id: string; lock: LinkLock }, { request, response }: Exchange): Promise<Opening> {
    // A form of another site would use clicks up without the visitor's will.
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin') return 'closed';
    try {
      const form = await formBody(request);
      // The form has the referring host of the page.
      request.headers.referer = form.get('referrer') ?? undefined;
      const network = this.addresses.networkOf(request);
      if (lock.passwordHash === null) {
        await this.#count(`lock-button:${network}`, lockLimits.buttonsOfAddress, response);
      } else {
        // The address comes first, so that one above its limit does not use up that of the link.
        await this.#count(`lock-password:${network}`, lockLimits.passwordsOfAddress, response);
        await this.#count(`lock-password:${id}`, lockLimits.passwordsOfLink, response);
        if (!(await this.#isPassword(id, lock.passwordHash, form.get('password') ?? ''))) return 'wrong';
      }
    } catch (error) {
      if (error instanceof PayloadTooLarge) return 'wrong';
      if (!(error instanceof RateLimited)) throw error;
      response.setHeader('Retry-After', error.retryAfterSeconds);
      return 'busy';
    }
    return !lock.isLimited || (await this.uses.use(id)) ? 'open' : 'used_up';
  }

  #isPassword(id: string, hash: Buffer, password: string): Promise<boolean> {
    return this.#passwords.run(id, () => isPassword(password, hash));
  }

  #count(tracker: string, limit: number, response: ServerResponse): Promise<void> {
    return countRequest(this.counts, tracker, limit, () => this.clock.now(), response);
  }
}
