import { ConcurrencyLimits, TooManyAtOnce } from '../kit/concurrency-limits';

/** Lists that an account, and a process, read at once. Each has one connection. */
export const maxFetches = { ofAccount: 2, ofProcess: 8 };

const retryAfterSeconds = 30;

/** Limits the lists that are read at once, because each opens connections to a host that its caller chooses. */
export class FetchLimits extends ConcurrencyLimits {
  constructor() {
    super(maxFetches, () => new TooManyAtOnce(retryAfterSeconds, 'Too many lists of other systems are being read'));
  }
}
