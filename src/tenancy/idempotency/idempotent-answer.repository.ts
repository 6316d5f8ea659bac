import type { RecordedAnswer, Idempotency, IdempotentAnswer } from './idempotent-answer';

export abstract class IdempotentAnswerRepository {
  /** Claims the request until the unit of work ends. Returns false if another unit of work has claimed it. */
  abstract claim(requestDigest: Buffer): Promise<boolean>;
  /** Finds the answer if it is younger than 24 hours by the database's clock, which all replicas share. */
  abstract find(requestDigest: Buffer): Promise<IdempotentAnswer | null>;
  /** Stores the answer in place of an older one. */
  abstract put(request: Idempotency, answer: RecordedAnswer): Promise<void>;
  /** Returns the bytes of the large answers of an account. */
  abstract largeBytesOf(accountId: string): Promise<number>;
  /** Removes up to `batch` expired answers, and returns their number. */
  abstract purge(batch: number): Promise<number>;
}
