import type { IdempotentAnswer } from './idempotent-answer';

export abstract class IdempotentAnswerRepository {
  /** Keeps all others from the request until the unit of work ends; false where somebody has it. */
  abstract claim(requestDigest: Buffer): Promise<boolean>;
  /** However old it is. */
  abstract find(requestDigest: Buffer): Promise<IdempotentAnswer | null>;
  /** In place of an older one. */
  abstract put(requestDigest: Buffer, answer: IdempotentAnswer): Promise<void>;
  /** Removes up to `batch` of those answered before; tells how many. */
  abstract purge(answeredBefore: Date, batch: number): Promise<number>;
}
