import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import {
  type RecordedAnswer,
  answersKeptHours,
  type Idempotency,
  type IdempotentAnswer,
  storedBytes,
} from './idempotent-answer';
import { IdempotentAnswerRepository } from './idempotent-answer.repository';

/** The end of an answer's time; the service's clocks may differ. */
const expired = `answered_at <= now() - interval '${answersKeptHours} hours'`;

@Injectable()
export class PgIdempotentAnswerRepository implements IdempotentAnswerRepository {
  constructor(private readonly context: TransactionContext) {}

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
      `SELECT payload_digest AS "payloadDigest", body
       FROM idempotent_answers WHERE request_digest = $1 AND NOT ${expired}`,
      [requestDigest],
    );
    return row ?? null;
  }

  async put({ accountId, requestDigest, payloadDigest }: Idempotency, { body }: RecordedAnswer): Promise<void> {
    await this.context.write(
      `INSERT INTO idempotent_answers (request_digest, payload_digest, body, account_id, bytes, answered_at)
       VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (request_digest) DO UPDATE SET payload_digest = excluded.payload_digest, body = excluded.body,
         account_id = excluded.account_id, bytes = excluded.bytes, answered_at = excluded.answered_at`,
      [requestDigest, payloadDigest, body, accountId, Buffer.byteLength(body)],
    );
  }

  async largeBytesOf(accountId: string): Promise<number> {
    // The constant lets PostgreSQL use the index of large answers.
    const [row] = await this.context.read<{ bytes: string }>(
      `SELECT coalesce(sum(bytes), 0) AS bytes FROM idempotent_answers WHERE account_id = $1 AND bytes > ${storedBytes.large}`,
      [accountId],
    );
    return Number(row!.bytes);
  }

  async purge(batch: number): Promise<number> {
    const rows = await this.context.write(
      `DELETE FROM idempotent_answers WHERE request_digest IN (
         SELECT request_digest FROM idempotent_answers WHERE ${expired} LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING request_digest`,
      [batch],
    );
    return rows.length;
  }
}
