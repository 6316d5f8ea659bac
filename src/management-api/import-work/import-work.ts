import type { ImportFormat } from '../import-model/import';
import type { StoredFile } from './import-upload.service';

/** Does what takes processor time: it parses files, and runs batches. */
export abstract class ImportWork {
  /** Rows that were done, and slices that failed, for metrics. */
  abstract readonly counts: { readonly rows: number; readonly failures: number };

  /**
   * Stores the rows of a file while it arrives.
   * @throws InvalidInput, ImportFileTooLarge
   */
  abstract store(importId: string, format: ImportFormat, file: AsyncIterable<Buffer>): Promise<StoredFile>;

  /** Runs batches for some seconds. Returns whether the import has more rows. */
  abstract runSlice(importId: string): Promise<boolean>;

  /** Lets the current batch be the last one. */
  abstract stopSlices(): Promise<void>;

  /** Ends once no file and no slice is in work. */
  abstract close(): Promise<void>;
}
