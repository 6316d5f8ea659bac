import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';

/** Exports that an account, and a process, run at once. Each keeps one batch in memory. */
export const maxExports = { ofAccount: 2, ofProcess: 10 };

/** Most exports are shorter. */
const retryAfterSeconds = 10;

/** Limits exports and reports of imports, because each takes as long as its client reads. */
export class ExportLimits extends ConcurrencyLimits {
  constructor() {
    super(maxExports, () => new TooManyAtOnce(retryAfterSeconds, 'Too many exports and reports are running'));
  }
}
