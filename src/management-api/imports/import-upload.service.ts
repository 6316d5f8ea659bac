import { Injectable } from '@nestjs/common';
import { retried } from '../kit/long-requests';
import { InvalidInput } from '../../shared/problem';
import { FileColumns } from './file-columns';
import { fileRows } from './file-rows';
import { fileText } from './file-text';
import type { ImportFormat } from './import';
import { ImportFileTooLarge } from './import.errors';
import type { FileRow } from './import-row';
import { ImportRepository } from './import.repository';

export const maxFileRows = 1_000_000;

/** Limits of a statement. */
const maxBatchRows = 500;
const maxBatchLength = 500_000;

export interface StoredFile {
  rows: number;
  bytes: number;
  columns: string[];
}

/** Stores the rows of a file while it arrives, with one batch of them in memory. */
@Injectable()
export class ImportUpload {
  constructor(private readonly imports: ImportRepository) {}

  /** @throws InvalidInput, ImportFileTooLarge */
  async store(importId: string, format: ImportFormat, file: AsyncIterable<Buffer>): Promise<StoredFile> {
    const size = { bytes: 0 };
    const columns = new FileColumns();
    let rows = 0;
    let batch: FileRow[] = [];
    let length = 0;
    const flush = async () => {
      await retried(() => this.imports.addRows(importId, rows - batch.length + 1, batch));
      await retried(() => this.imports.update(importId, { fileRows: rows, fileBytes: size.bytes }));
      batch = [];
      length = 0;
    };
    for await (const row of fileRows(format, fileText(file, size), columns)) {
      if (++rows > maxFileRows) throw new ImportFileTooLarge('1,000,000 rows');
      batch.push(row);
      length += row.record?.length ?? 0;
      if (batch.length === maxBatchRows || length > maxBatchLength) await flush();
    }
    if (rows === 0) throw InvalidInput.asAWhole('too_small', 'The file has no rows');
    if (batch.length > 0) await flush();
    return { rows, bytes: size.bytes, columns: columns.names };
  }
}
