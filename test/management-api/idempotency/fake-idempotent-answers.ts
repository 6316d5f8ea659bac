import type { IdempotentAnswer } from '../../../src/management-api/idempotency/idempotent-answer';
import { IdempotentAnswerRepository } from '../../../src/management-api/idempotency/idempotent-answer.repository';

/** In memory, without transactions: `claimed` are the requests that another unit of work runs. */
export class FakeIdempotentAnswers extends IdempotentAnswerRepository {
  readonly kept = new Map<string, IdempotentAnswer>();
  readonly claimed = new Set<string>();
  purges = 0;
  failure: Error | null = null;

  async claim(requestDigest: Buffer): Promise<boolean> {
    return !this.claimed.has(requestDigest.toString('hex'));
  }

  async find(requestDigest: Buffer): Promise<IdempotentAnswer | null> {
    return this.kept.get(requestDigest.toString('hex')) ?? null;
  }

  async put(requestDigest: Buffer, answer: IdempotentAnswer): Promise<void> {
    this.kept.set(requestDigest.toString('hex'), answer);
  }

  async purge(answeredBefore: Date, batch: number): Promise<number> {
    this.purges++;
    if (this.failure) throw this.failure;
    const old = [...this.kept].filter(([, { answeredAt }]) => answeredAt < answeredBefore).slice(0, batch);
    for (const [digest] of old) this.kept.delete(digest);
    return old.length;
  }
}
