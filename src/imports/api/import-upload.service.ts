import { Injectable } from '@nestjs/common';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Plan } from '../../tenancy/accounts/plan';
import { headBytes, readLayout } from '../files/file-head';
import type { FileLayout } from '../model/file-row';
import type { Import } from '../model/import';
import { ImportIntakeService } from '../model/import-intake.service';
import { ImportFileTooLarge } from '../model/import.errors';
import { TypeormImportRepository } from '../model/typeorm-import.repository';
import { chunkBytes } from '../model/pg-import-files';
import { retried } from '../../api-kit/kit/long-requests';
import type { Project } from '../../links/projects/project';

export const maxUploadBytes = 200_000_000;

type OpenedImport = Pick<Import, 'id' | 'format' | 'options'>;

/** Stores a file while it arrives, with its head or one chunk in memory. */
@Injectable()
export class ImportUploadService {
  constructor(
    private readonly imports: TypeormImportRepository,
    private readonly intake: ImportIntakeService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws InvalidInput, ImportFileTooLarge, QuotaReached, and NotFound if the import was removed meanwhile */
  async store(opened: OpenedImport, project: Project, plan: Plan, file: AsyncIterable<Buffer>): Promise<FileLayout> {
    const { id, format, options } = opened;
    let layout: FileLayout | undefined;
    let bytes = 0;
    for await (const part of sized(file)) {
      layout ??= await readLayout(format, part, part.length < headBytes, options.encoding);
      if (bytes + part.length > maxUploadBytes) throw new ImportFileTooLarge();
      await retried(() =>
        this.unitOfWork.run(async () => {
          const job = requireFound(await this.imports.findForUpdate(project.id, id), 'Import');
          // An attempt before, whose answer was lost, may have stored it.
          if (job.fileBytes === bytes) await this.intake.append(job, project, plan, part);
        }),
      );
      bytes += part.length;
    }
    return layout!;
  }
}

/** Returns the head of a file, which may be empty, and then its chunks. */
async function* sized(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = headBytes;
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of file) {
    pieces.push(piece);
    length += piece.length;
    if (length < size) continue;
    let bytes = Buffer.concat(pieces);
    for (; bytes.length >= size; size = chunkBytes) {
      yield bytes.subarray(0, size);
      bytes = bytes.subarray(size);
    }
    [pieces, length] = [[bytes], bytes.length];
  }
  if (length > 0 || size === headBytes) yield Buffer.concat(pieces);
}
