import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { IdempotentAnswer } from './idempotent-answer';
import { IdempotentAnswerRepository } from './idempotent-answer.repository';

@Injectable()
export class TypeormIdempotentAnswerRepository extends IdempotentAnswerRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  /**
   * Takes an advisory lock, because a running request's row is invisible, and inserting the same row would wait for it.
   * The lock ends with the transaction, also after a crash.
   */
  async claim(requestDigest: Buffer): Promise<boolean> {
    const [row] = await this.context.read<{ claimed: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS claimed', [
      requestDigest.readBigInt64BE().toString(),
    ]);
    return row!.claimed;
  }

  async find(requestDigest: Buffer): Promise<IdempotentAnswer | null> {
    const [row] = await this.context.read<IdempotentAnswer>(
      `SELECT payload_digest AS "payloadDigest", location, body, answered_at AS "answeredAt"
       FROM idempotent_answers WHERE request_digest = $1`,
      [requestDigest],
    );
    return row ?? null;
  }

  async put(requestDigest: Buffer, answer: IdempotentAnswer): Promise<void> {
    await this.context.manager.query(
      `INSERT INTO idempotent_answers (request_digest, payload_digest, location, body, answered_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (request_digest) DO UPDATE SET payload_digest = excluded.payload_digest,
         location = excluded.location, body = excluded.body, answered_at = excluded.answered_at`,
      [requestDigest, answer.payloadDigest, answer.location, answer.body, answer.answeredAt],
    );
  }

  async purge(answeredBefore: Date, batch: number): Promise<number> {
    const rows = await this.context.manager.query<[unknown[], number]>(
      `DELETE FROM idempotent_answers WHERE request_digest IN (
         SELECT request_digest FROM idempotent_answers WHERE answered_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
       )`,
      [answeredBefore, batch],
    );
    return rows[1];
  }
}
