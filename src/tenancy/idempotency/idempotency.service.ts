import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { BackgroundJobs } from '../../shared/background-jobs';
import { UnitOfWork } from '../../shared/unit-of-work';
import { IdempotencyConflict, TooManyStoredAnswers } from './idempotency.errors';
import { type RecordedAnswer, type Idempotency, replayOf, storedBytes } from './idempotent-answer';
import { IdempotentAnswerRepository } from './idempotent-answer.repository';

const purgeIntervalMs = 10 * 60_000;
/** Answers per statement. */
const purgeBatch = 5000;

/** Executes requests with the same `Idempotency-Key` once. */
@Injectable()
export class IdempotencyService implements BeforeApplicationShutdown {
  readonly #purgeTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly answers: IdempotentAnswerRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
    jobs: BackgroundJobs,
  ) {
    this.#purgeTimer = jobs.every(purgeIntervalMs, () => void this.purge());
  }

  /**
   * Returns the first answer for 24 hours, and the answer of `work` otherwise. The answer is stored in the transaction of
   * `work`, so that a resource and its answer exist together or not at all. A failed request can be repeated.
   *
   * @throws IdempotencyConflict while the first request runs
   * @throws TooManyStoredAnswers, and undoes the work, if the account's answers would take too many bytes
   * @throws InvalidInput if the key was used with another body
   */
  once(request: Idempotency, work: () => Promise<RecordedAnswer>): Promise<RecordedAnswer & { replayed: boolean }> {
    const { requestDigest, payloadDigest } = request;
    return this.unitOfWork.run(async () => {
      if (!(await this.answers.claim(requestDigest))) throw new IdempotencyConflict();
      const known = await this.answers.find(requestDigest);
      if (known) return { ...replayOf(known, payloadDigest), replayed: true };
      const answer = await work();
      await this.answers.put(request, answer);
      await this.#limitLargeAnswers(request.accountId, answer);
      return { ...answer, replayed: false };
    });
  }

  async #limitLargeAnswers(accountId: string, { body }: RecordedAnswer): Promise<void> {
    if (Buffer.byteLength(body) <= storedBytes.large) return;
    if ((await this.answers.largeBytesOf(accountId)) > storedBytes.ofAccount) throw new TooManyStoredAnswers();
  }

  /** Removes expired answers. Several processes may do it at once. */
  async purge(): Promise<void> {
    try {
      while ((await this.answers.purge(purgeBatch)) === purgeBatch);
    } catch (error) {
      this.log.warn(`old answers are purged later: ${(error as Error).message}`);
    }
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.#purgeTimer);
  }
}
