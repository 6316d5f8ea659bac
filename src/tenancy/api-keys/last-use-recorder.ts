import type { Log } from '../../platform/observability/log';
import { ParallelShutdown } from '../../shared/parallel-shutdown';
import type { CallerRepository } from './caller.repository';

/** Batches the last-use times of keys, so that no request waits for their writes or fails with them. */
export class LastUseRecorder extends ParallelShutdown {
  #unwritten = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly callers: Pick<CallerRepository, 'touch'>,
    private readonly log: Log,
    interval = 5000,
  ) {
    super();
    this.#timer = setInterval(() => void this.flush(), interval).unref();
  }

  /** @param now the time of the use, by `performance.now` */
  record(apiKeyId: string, now: number): void {
    this.#unwritten.set(apiKeyId, now);
  }

  async flush(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const batch = this.#unwritten;
    this.#unwritten = new Map();
    try {
      await this.callers.touch(batch);
    } catch (error) {
      // Kept for the next flush, unless a newer use came meanwhile.
      for (const [id, at] of batch) if (!this.#unwritten.has(id)) this.#unwritten.set(id, at);
      this.log.warn(`last use of API keys not written yet: ${(error as Error).message}`);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
