import { BatchPurge } from '../../shared/batch-purge';
import type { ImportRepository } from '../import-model/import.repository';

/** Imports per statement. */
const batchSize = 100;

/** Drops the tables of imports that failed or were cancelled, and removes old imports and uploads that have stopped. */
export class ImportPurge extends BatchPurge {
  constructor(imports: ImportRepository, onError: (error: unknown) => void) {
    super(async () => {
      await imports.removeExpired();
      return imports.purgeSome(batchSize);
    }, onError);
  }
}
