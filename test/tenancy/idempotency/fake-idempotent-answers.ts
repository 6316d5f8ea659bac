import {
  type RecordedAnswer,
  answersKeptHours,
  type Idempotency,
  type IdempotentAnswer,
  storedBytes,
} from '../../../src/tenancy/idempotency/idempotent-answer';
import { IdempotentAnswerRepository } from '../../../src/tenancy/idempotency/idempotent-answer.repository';

/** In memory, without transactions: `claimed` are the requests that another unit of work runs. */
export class FakeIdempotentAnswers extends IdempotentAnswerRepository {
  readonly kept = new Map<string, { accountId: string; answer: IdempotentAnswer; answeredAt: number }>();
  readonly claimed = new Set<string>();
  /** Milliseconds. */
  now = 0;
  purges = 0;
  failure: Error | null = null;

  async claim(requestDigest: Buffer): Promise<boolean> {
    return !this.claimed.has(requestDigest.toString('hex'));
  }

  async find(requestDigest: Buffer): Promise<IdempotentAnswer | null> {
    const kept = this.kept.get(requestDigest.toString('hex'));
    return kept && !this.#hasExpired(kept) ? kept.answer : null;
  }

  async put({ accountId, requestDigest, payloadDigest }: Idempotency, { body }: RecordedAnswer): Promise<void> {
    const answer = { payloadDigest, body };
    this.kept.set(requestDigest.toString('hex'), { accountId, answer, answeredAt: this.now });
  }

  async largeBytesOf(accountId: string): Promise<number> {
    const bytes = Array.from(this.kept.values())
      .filter((kept) => kept.accountId === accountId)
      .map(({ answer }) => Buffer.byteLength(answer.body));
    return bytes.filter((each) => each > storedBytes.large).reduce((sum, each) => sum + each, 0);
  }

  async purge(batch: number): Promise<number> {
    this.purges++;
    if (this.failure) throw this.failure;
    const old = [...this.kept].filter(([, kept]) => this.#hasExpired(kept)).slice(0, batch);
    for (const [digest] of old) this.kept.delete(digest);
    return old.length;
  }

  #hasExpired({ answeredAt }: { answeredAt: number }): boolean {
    return this.now - answeredAt >= answersKeptHours * 3600_000;
  }
}
