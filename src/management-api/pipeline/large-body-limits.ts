import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';

/** Bodies that may exceed 100 kB, and that an account, or all accounts, send to a process at once. They are held in memory. */
export const maxLargeBodies = { ofAccount: 4, ofProcess: 16 };

/** Limits large bodies, because a slow client may take thirty seconds for one. */
export class LargeBodyLimits extends ConcurrencyLimits {
  constructor() {
    super(maxLargeBodies, () => new TooManyAtOnce(1, 'Too many large bodies are being sent'));
  }
}
