import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { newId } from '../../shared/id';
import { type ImportPart, PgImportQueue } from '../model/pg-import-queue';
import { TypeormImportRepository } from '../model/typeorm-import.repository';
import { PgImportUpkeep } from '../model/pg-import-upkeep';
import { retried } from '../../api-kit/kit/long-requests';
import { ParallelShutdown } from '../../shared/parallel-shutdown';
import { ImportRunnerService } from './import-runner.service';
import { ListReaderService } from './list-reader.service';

const maxDeaths = 2;

const tooExpensive = 'The import has ended its process twice. Divide the file, or look for a very large row';
const tooExpensiveList = 'The list has ended its process twice. Nothing was created. Import files';

@Injectable()
export class ImportWorkerService extends ParallelShutdown implements OnApplicationBootstrap {
  /** Time of the last job that has begun or ended, by `performance.now`. */
  lastUse = performance.now();
  #running = 0;
  readonly #processId = newId();

  constructor(
    private readonly queue: PgImportQueue,
    private readonly imports: TypeormImportRepository,
    private readonly upkeep: PgImportUpkeep,
    private readonly runner: ImportRunnerService,
    private readonly lists: ListReaderService,
  ) {
    super();
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  onApplicationBootstrap(): void {
    this.queue.start(
      (importId) => this.#do(importId, (id) => this.runner.runSlice(id)),
      (importId) => this.#do(importId, (id) => this.lists.readList(id)),
    );
  }

  async stop(): Promise<void> {
    this.runner.stop();
    this.lists.stop();
    await this.queue.stop();
  }

  /** Does a part. Ends an import that has ended two processes. */
  async #do(id: string, part: ImportPart): Promise<number | null> {
    this.#running++;
    try {
      const begun = await this.upkeep.attempt(id, this.#processId);
      if (!begun) return null;
      const { attempts, state } = begun;
      if (attempts < maxDeaths) return await part(id);
      const message = state === 'uploading' ? tooExpensiveList : tooExpensive;
      await this.imports.end({ id, state }, { code: 'too_expensive', message });
      return null;
    } finally {
      await retried(() => this.upkeep.settle(id, this.#processId)).catch(() => {});
      this.#running--;
      this.lastUse = performance.now();
    }
  }
}
