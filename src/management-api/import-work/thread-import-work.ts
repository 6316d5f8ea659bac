import { fromSentError, type SentError, toSentError } from '../../platform/threads/sent-error';
import type { ThreadFunctions } from '../../platform/threads/answer-calls';
import type { WorkerThread } from '../../platform/threads/worker-thread';
import { shareOfRequest, withShare } from '../kit/long-requests';
import type { ImportFormat } from '../import-model/import';
import type { StoredFile } from './import-upload.service';
import { ImportWork } from './import-work';

interface FileCall {
  importId: string;
  format: ImportFormat;
  /** The share of the request, because the connections of the thread are shared too. */
  share: string | null;
}

interface SliceResult {
  rows: number;
  failures: number;
  end: { hasMore: boolean } | { error: SentError };
}

/**
 * Delegates the work to another thread. Each batch leaves objects whose collection takes milliseconds, and visits would wait for
 * it (docs/decisions/0047-imports.md).
 */
export class ThreadImportWork extends ImportWork {
  readonly counts = { rows: 0, failures: 0 };

  constructor(private readonly thread: WorkerThread) {
    super();
  }

  store(importId: string, format: ImportFormat, file: AsyncIterable<Buffer>): Promise<StoredFile> {
    return this.thread.call('store', { importId, format, share: shareOfRequest() } satisfies FileCall, file);
  }

  async runSlice(importId: string): Promise<boolean> {
    const { rows, failures, end } = await this.thread.call<SliceResult>('runSlice', importId);
    this.counts.rows += rows;
    this.counts.failures += failures;
    if ('error' in end) throw fromSentError(end.error);
    return end.hasMore;
  }

  async stopSlices(): Promise<void> {
    // A thread that has ended has no slice.
    await this.thread.callIfRunning('stopSlices', null).catch(() => {});
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

/** Returns what the thread does for `ThreadImportWork`. */
export const importFunctions = (work: ImportWork): ThreadFunctions => ({
  store: ({ importId, format, share }: FileCall, file) => withShare(share, () => work.store(importId, format, file)),
  runSlice: async (importId: string): Promise<SliceResult> => {
    const { rows, failures } = work.counts;
    const end = await work.runSlice(importId).then(
      (hasMore) => ({ hasMore }),
      (error: unknown) => ({ error: toSentError(error) }),
    );
    return { rows: work.counts.rows - rows, failures: work.counts.failures - failures, end };
  },
  stopSlices: () => work.stopSlices(),
});
