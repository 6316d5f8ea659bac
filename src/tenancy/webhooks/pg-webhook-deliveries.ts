import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Page } from '../../shared/page';
import type { StoredDelivery } from './delivery';

/** The last attempt at an event, as lists show it. */
export interface DeliveryRecord extends StoredDelivery {
  resourceId: string | null;
  lastAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  durationMs: number | null;
  createdAt: Date;
}

const columns = `id, sequence::float8 AS sequence, part, type, resource_id AS "resourceId", state, attempts, last_attempt_at AS "lastAttemptAt",
  next_attempt_at AS "nextAttemptAt", status, failure, answer, duration_ms AS "durationMs", created_at AS "createdAt"`;

@Injectable()
export class PgWebhookDeliveries {
  constructor(private readonly context: TransactionContext) {}

  /** Lists deliveries, newest first. */
  async list(
    endpointId: string,
    { state, page, limit }: { state: DeliveryRecord['state'] | null; page: number; limit: number },
  ): Promise<Page<DeliveryRecord>> {
    const matches = 'endpoint_id = $1 AND ($2::text IS NULL OR state = $2)';
    const [items, counted] = await Promise.all([
      this.context.read<DeliveryRecord>(
        `SELECT ${columns} FROM webhook_deliveries WHERE ${matches} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
        [endpointId, state, limit, (page - 1) * limit],
      ),
      this.context.read<{ total: number }>(`SELECT count(*)::int AS total FROM webhook_deliveries WHERE ${matches}`, [
        endpointId,
        state,
      ]),
    ]);
    return { items, total: counted[0]!.total };
  }

  async find(endpointId: string, id: string): Promise<DeliveryRecord | null> {
    const [record] = await this.context.read<DeliveryRecord>(
      `SELECT ${columns} FROM webhook_deliveries WHERE endpoint_id = $1 AND id = $2`,
      [endpointId, id],
    );
    return record ?? null;
  }

  /** Makes an event wait again, as if it were new. Returns null if it is absent. */
  async sendAgain(endpointId: string, id: string): Promise<DeliveryRecord | null> {
    const [sent] = await this.context.write<DeliveryRecord & Record<string, unknown>>(
      `UPDATE webhook_deliveries SET state = 'waiting', attempts = 0, first_attempt_at = NULL, next_attempt_at = now()
       WHERE endpoint_id = $1 AND id = $2 RETURNING ${columns}`,
      [endpointId, id],
    );
    return sent ?? null;
  }

  /** Moves the place of the endpoint back to an entry. Never moves it ahead. */
  async moveBack(endpointId: string, sequence: number): Promise<void> {
    await this.context.write('UPDATE webhook_positions SET sequence = least(sequence, $2) WHERE endpoint_id = $1', [
      endpointId,
      sequence,
    ]);
  }
}
