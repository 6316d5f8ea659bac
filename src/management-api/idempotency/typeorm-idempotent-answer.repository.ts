import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { answersKeptHours, type IdempotentAnswer } from './idempotent-answer';
import { IdempotentAnswerRepository } from './idempotent-answer.repository';

/** The end of an answer's time; the service's clocks may differ. */
const expired = `answered_at <= now() - interval '${answersKeptHours} hours'`;

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
      `SELECT payload_digest AS "payloadDigest", location, body
       FROM idempotent_answers WHERE request_digest = $1 AND NOT ${expired}`,
      [requestDigest],
    );
    return row ?? null;
  }

  async put(requestDigest: Buffer, answer: IdempotentAnswer): Promise<void> {
    await this.context.manager.query(
      `INSERT INTO idempotent_answers (request_digest, payload_digest, location, body, answered_at)
       VALUES ($1, $2, $3, $4, now())
       ON CONFLICT (request_digest) DO UPDATE SET payload_digest = excluded.payload_digest,
         location = excluded.location, body = excluded.body, answered_at = excluded.answered_at`,
      [requestDigest, answer.payloadDigest, answer.location, answer.body],
    );
  }

  async purge(batch: number): Promise<number> {
    const rows = await this.context.manager.query<[unknown[], number]>(
      `DELETE FROM idempotent_answers WHERE request_digest IN (
         SELECT request_digest FROM idempotent_answers WHERE ${expired} LIMIT $1 FOR UPDATE SKIP LOCKED
       )`,
      [batch],
    );
    return rows[1];
  }
}
