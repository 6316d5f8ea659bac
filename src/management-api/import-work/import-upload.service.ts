import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { retried } from '../kit/long-requests';
import { InvalidInput } from '../../shared/problem';
import { FileColumns } from '../import-files/file-columns';
import { fileRows } from '../import-files/file-rows';
import { fileText } from '../import-files/file-text';
import { ImportTurns, pauseFactor } from './import-turns';
import type { ImportFormat } from '../import-model/import';
import { ImportFileTooLarge } from '../import-model/import.errors';
import type { FileRow } from '../import-model/import-row';
import { ImportRowRepository } from '../import-model/import-row.repository';
import { ImportRepository } from '../import-model/import.repository';

export const maxFileRows = 1_000_000;

/** Limits of a statement. */
const maxBatchRows = 100;
const maxBatchLength = 100_000;

const maxPauseMs = 50;

export interface StoredFile {
  rows: number;
  bytes: number;
  columns: string[];
}

/** Stores the rows of a file while it arrives, with one batch of them in memory. */
@Injectable()
export class ImportUpload {
  constructor(
    private readonly imports: ImportRepository,
    private readonly importRows: ImportRowRepository,
  ) {}

  /** @throws InvalidInput, ImportFileTooLarge */
  async store(importId: string, format: ImportFormat, file: AsyncIterable<Buffer>): Promise<StoredFile> {
    const size = { bytes: 0 };
    const columns = new FileColumns();
    const stored = await this.storeRows(
      importId,
      fileRows(format, fileText(inPieces(file), size), columns),
      size,
      columns,
    );
    if (stored.rows === 0) throw InvalidInput.asAWhole('too_small', 'The file has no rows');
    return stored;
  }

  /**
   * Stores rows while they arrive.
   * @param size is counted by the reader, as `columns` are
   * @throws ImportFileTooLarge
   */
  async storeRows(
    importId: string,
    given: AsyncIterable<FileRow>,
    size: { readonly bytes: number },
    columns: FileColumns,
  ): Promise<StoredFile> {
    let rows = 0;
    let batch: FileRow[] = [];
    let length = 0;
    let startedAt = performance.now();
    const flush = async () => {
      await retried(() => this.importRows.addRows(importId, rows - batch.length + 1, batch));
      await retried(() => this.imports.update(importId, { fileRows: rows, fileBytes: size.bytes }));
      batch = [];
      length = 0;
      // As in the batches of a run, most of the processor is left to callers and visitors. A slow sender leaves it anyway.
      await sleep(Math.min(maxPauseMs, pauseFactor * (performance.now() - startedAt)));
      startedAt = performance.now();
    };
    const turns = new ImportTurns();
    for await (const row of given) {
      await turns.next();
      if (++rows > maxFileRows) throw new ImportFileTooLarge('1,000,000 rows');
      batch.push({ ...row, record: row.record && copied(row.record) });
      length += row.record?.length ?? 0;
      if (batch.length === maxBatchRows || length > maxBatchLength) await flush();
    }
    if (batch.length > 0) await flush();
    return { rows, bytes: size.bytes, columns: columns.names };
  }
}

/** Returns the text alone. A row is a part of a piece of the file, which it would keep in memory while its batch waits for others. */
const copied = (text: string): string => Buffer.from(text).toString();

/** Bytes that are decoded and parsed in one turn of the event loop. */
const pieceBytes = 16_384;

/** Returns what a connection delivers in pieces, because a parser takes milliseconds for 64 kB. */
async function* inPieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const turns = new ImportTurns();
  for await (const chunk of chunks)
    for (let from = 0; from < chunk.length; from += pieceBytes) {
      await turns.next();
      yield chunk.subarray(from, from + pieceBytes);
    }
}
