import type { Clock } from '../../shared/clock';
import { InvalidInput } from '../../shared/problem';
import type { UnitOfWork } from '../../shared/unit-of-work';
import { IdempotencyConflict } from './idempotency.errors';
import { answersAreKept, type Idempotency } from './idempotent-answer';
import type { IdempotentAnswerRepository } from './idempotent-answer.repository';

/** Milliseconds between two looks for old answers, and how many are removed by one statement. */
const purgeInterval = 10 * 60_000;
const purgeBatch = 5000;

/** What goes over the wire. */
export interface Answer {
  location: string | null;
  /** JSON. */
  body: string;
}

/** Lets a request that is sent again with the same key happen once. */
export class IdempotencyService {
  readonly #purgeTimer: NodeJS.Timeout;

  constructor(
    private readonly answers: IdempotentAnswerRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#purgeTimer = setInterval(() => void this.purge(), purgeInterval).unref();
  }

  /**
   * What was answered the first time, for 24 hours; else what `work` answers now. That is kept in the very transaction in
   * which `work` creates, so that there is neither a resource without its answer nor an answer without its resource. What
   * fails leaves nothing behind, and may be sent again, changed or not.
   *
   * @throws IdempotencyConflict while the first one runs
   * @throws InvalidInput when the key was used with another body
   */
  once(request: Idempotency, work: () => Promise<Answer>): Promise<Answer & { replayed: boolean }> {
    const { requestDigest, payloadDigest } = request;
    return this.unitOfWork.run(async () => {
      if (!(await this.answers.claim(requestDigest))) throw new IdempotencyConflict();
      const known = await this.answers.find(requestDigest);
      const now = this.clock.now();
      if (known && now - known.answeredAt.getTime() < answersAreKept) {
        if (!known.payloadDigest.equals(payloadDigest))
          throw new InvalidInput('This Idempotency-Key was used with another body; take a new key for a new request');
        return { location: known.location, body: known.body, replayed: true };
      }
      const answer = await work();
      await this.answers.put(requestDigest, { ...answer, payloadDigest, answeredAt: new Date(now) });
      return { ...answer, replayed: false };
    });
  }

  /** Removes what is not replayed any more. Any number of processes may do it at once. */
  async purge(): Promise<void> {
    try {
      const kept = new Date(this.clock.now() - answersAreKept);
      while ((await this.answers.purge(kept, purgeBatch)) === purgeBatch);
    } catch (error) {
      this.onError(error);
    }
  }

  stop(): void {
    clearInterval(this.#purgeTimer);
  }
}
