import { BatchPurge } from '../../shared/batch-purge';
import type { Clock } from '../../shared/clock';
import { maxSilenceMs, silentFailure } from './import-fetches.service';
import type { ImportRepository } from '../import-model/import.repository';

/** Rows per statement. */
const batchSize = 5000;

/** The age of an upload whose process has died. An upload that lives ends within half an hour (`maxUploadMs`). */
const abandonedUploadMs = 3_600_000;

/** Days that reports of imports are kept, and imports that nobody runs. */
export const retentionDays = 30;

/** Imports of a project that are kept. Older ones that are finished go. */
export const maxKeptImports = 20;

/** Removes the rows of old imports, and of uploads that have stopped. Ends imports whose process has died. */
export class ImportPurge extends BatchPurge {
  constructor(imports: ImportRepository, clock: Clock, onError: (error: unknown) => void) {
    super(async () => {
      const before = (ms: number) => new Date(clock.now() - ms);
      await imports.failSilentFetches(before(maxSilenceMs), silentFailure);
      await imports.removeExpired({
        uploadBefore: before(abandonedUploadMs),
        finishedBefore: before(retentionDays * 86_400_000),
        maxPerProject: maxKeptImports,
      });
      return imports.purgeSome(batchSize);
    }, onError);
  }
}
