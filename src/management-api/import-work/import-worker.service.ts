import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ImportApiClient } from '../import-apis/import-api-client';
import { type ImportCounts, ImportQueue } from '../import-model/import-queue';
import { ParallelShutdown } from '../kit/parallel-shutdown';
import { ImportRunner } from './import-runner.service';
import { ListReader } from './list-reader.service';

/** Takes jobs of imports, from the start of the process to its end. */
@Injectable()
export class ImportWorker extends ParallelShutdown implements OnApplicationBootstrap {
  readonly counts: ImportCounts;
  /** Time of the last job that has begun or ended, by `performance.now`. */
  lastUse = performance.now();
  #running = 0;

  constructor(
    private readonly queue: ImportQueue,
    private readonly runner: ImportRunner,
    private readonly lists: ListReader,
    client: ImportApiClient,
  ) {
    super();
    const { counts } = runner;
    this.counts = {
      get rows() {
        return counts.rows;
      },
      get failures() {
        return counts.failures;
      },
      requests: client.counts,
    };
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  onApplicationBootstrap(): void {
    this.queue.start({
      runSlice: (importId) => this.#use(() => this.runner.runSlice(importId)),
      readList: (importId) => this.#use(() => this.lists.readList(importId)),
    });
  }

  protected async stop(): Promise<void> {
    this.runner.stop();
    this.lists.stop();
    await this.queue.stop();
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.lastUse = performance.now();
    }
  }
}
