import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';

/** Streams of events that an account, and a process, have at once. Each reads the database twice a second. */
export const maxStreams = { ofAccount: 5, ofProcess: 50 };

/** Limits streams of events, because each lasts as long as its import. */
export class EventLimits extends ConcurrencyLimits {
  constructor() {
    super(maxStreams, () => new TooManyAtOnce(1, 'Too many streams of import events are open'));
  }
}
