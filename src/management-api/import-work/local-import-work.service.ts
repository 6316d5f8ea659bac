import { Injectable } from '@nestjs/common';
import type { ImportFormat } from '../import-model/import';
import { ImportRunner } from './import-runner.service';
import { ImportUpload, type StoredFile } from './import-upload.service';
import { ImportWork } from './import-work';

/** Performs the work in this thread. */
@Injectable()
export class LocalImportWork extends ImportWork {
  readonly counts: ImportWork['counts'];

  constructor(
    private readonly runner: ImportRunner,
    private readonly upload: ImportUpload,
  ) {
    super();
    this.counts = runner.counts;
  }

  store(importId: string, format: ImportFormat, file: AsyncIterable<Buffer>): Promise<StoredFile> {
    return this.upload.store(importId, format, file);
  }

  runSlice(importId: string): Promise<boolean> {
    return this.runner.runSlice(importId);
  }

  async stopSlices(): Promise<void> {
    this.runner.stop();
  }

  async close(): Promise<void> {}
}
