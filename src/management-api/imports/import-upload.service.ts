import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Plan } from '../accounts/plan';
import { QuotaGate } from '../accounts/quotas';
import { headBytes, readLayout } from '../import-files/file-head';
import type { FileLayout } from '../import-model/file-layout';
import type { Encoding } from '../import-sources/text-encoding';
import type { Import } from '../import-model/import';
import { chunkBytes, ImportFileRepository } from '../import-model/import-file.repository';
import { ImportFileTooLarge } from '../import-model/import.errors';
import { ImportRepository } from '../import-model/import.repository';
import { retried } from '../kit/long-requests';

export const maxFileBytes = 200_000_000;

/** Stores a file while it arrives, with its head or one chunk in memory. */
@Injectable()
export class ImportUpload {
  constructor(
    private readonly imports: ImportRepository,
    private readonly files: ImportFileRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Stores a file whose head is valid.
   * @throws InvalidInput, ImportFileTooLarge, QuotaReached
   */
  async store(
    { id, format, options }: Import,
    accountId: string,
    plan: Plan,
    file: AsyncIterable<Buffer>,
  ): Promise<{ layout: FileLayout; bytes: number }> {
    const quota = this.quotas.reservationOf(accountId, plan, 'importBytes');
    const pieces = sized(file);
    const { value: head } = (await pieces.next()) as IteratorYieldResult<Buffer>;
    const isWhole = head.length < headBytes;
    const layout = await readLayout(format, head.subarray(0, headBytes), isWhole, options['encoding'] as Encoding);
    let bytes = 0;
    let chunk = head;
    const storeChunks = async (min: number) => {
      for (; chunk.length >= min; chunk = chunk.subarray(chunkBytes)) {
        const part = chunk.subarray(0, chunkBytes);
        const number = bytes / chunkBytes;
        await retried(() =>
          this.unitOfWork.run(async () => {
            if (await this.files.addChunk(id, number, part)) await this.imports.reserveBytes(id, quota, part.length);
          }),
        );
        bytes += part.length;
      }
    };
    await storeChunks(chunkBytes);
    for await (const piece of pieces) {
      chunk = Buffer.concat([chunk, piece]);
      if (bytes + chunk.length > maxFileBytes) throw new ImportFileTooLarge('200 MB');
      await storeChunks(chunkBytes);
    }
    await storeChunks(1);
    return { layout, bytes };
  }
}

/** Returns the head of a file, which may be empty, and then pieces of about a chunk. */
async function* sized(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = headBytes;
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of file) {
    pieces.push(piece);
    length += piece.length;
    if (length < size) continue;
    yield Buffer.concat(pieces);
    [size, pieces, length] = [chunkBytes, [], 0];
  }
  if (length > 0 || size === headBytes) yield Buffer.concat(pieces);
}
