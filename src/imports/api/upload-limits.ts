import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';

/** Files that an account, or all accounts, send to a process at once. Each keeps up to a megabyte in memory. */
export const maxUploads = { ofAccount: 5, ofProcess: 40 };

/** Limits uploads of files, because a slow client may take half an hour for one. */
export class UploadLimits extends ConcurrencyLimits {
  constructor() {
    // Most files are sent in seconds.
    super(maxUploads, () => new TooManyAtOnce(10, 'Too many files are being uploaded'));
  }
}
