import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { SecretSeal } from '../api-keys/secret-seal';
import type { Delivery, LeasedEndpoint, SliceResult } from './delivery';
import { outageAfterFailures } from './retry-schedule';
import { disabledAfterDays } from './webhook';

/** Events of an endpoint that may wait. Beyond it, its place in the journal stays. */
export const maxWaiting = 500;

/** Finished deliveries of an endpoint that are kept, for a week at most. */
export const maxFinished = 10_000;

/** A process that was killed has its endpoints for so long. */
const leaseSeconds = 10;

/** Reports that the endpoint was deleted, or belongs to another process. Nothing is stored. */
export class LeaseLost extends Error {}

interface EndpointRow extends Omit<LeasedEndpoint, 'secrets' | 'sequence' | 'head'> {
  sequence: string;
  head: string;
  sealed: Buffer;
  former: Buffer | null;
}

const hostOf = `substring(endpoint.url FROM '^https?://([^/:?#]+)')`;

/** Gives endpoints to processes for a time, and stores their progress. Times are those of the database. */
@Injectable()
export class PgWebhookQueue {
  constructor(
    private readonly context: TransactionContext,
    private readonly seal: SecretSeal,
  ) {}

  async hasEndpoints(): Promise<boolean> {
    const [row] = await this.context.read<{ found: boolean }>(
      'SELECT EXISTS (SELECT FROM webhook_endpoints WHERE enabled) AS found',
    );
    return row!.found;
  }

  /**
   * Takes the endpoint with work that was served least recently. Returns null if no endpoint has work.
   * @param isOutage whether it is out of order
   * @param busyHosts hosts that get no further endpoint
   */
  async lease(processId: string, isOutage: boolean, busyHosts: readonly string[]): Promise<LeasedEndpoint | null> {
    const [row] = await this.context.write<EndpointRow & { account_id: string }>(
      `UPDATE webhook_positions AS place
       SET leased_by = $1, leased_until = now() + interval '${leaseSeconds} seconds'
       FROM webhook_endpoints AS endpoint LEFT JOIN journal_heads AS heads ON heads.account_id = endpoint.account_id
       WHERE endpoint.id = place.endpoint_id AND place.endpoint_id = (
         SELECT place.endpoint_id
         FROM webhook_positions AS place JOIN webhook_endpoints AS endpoint ON endpoint.id = place.endpoint_id
         JOIN accounts ON accounts.id = endpoint.account_id LEFT JOIN journal_heads AS heads ON heads.account_id = endpoint.account_id
         WHERE endpoint.enabled AND NOT accounts.disabled AND coalesce(place.leased_until <= now(), true)
           AND (place.failures >= ${outageAfterFailures}) = $2 AND NOT ${hostOf} = ANY ($3)
           AND (place.next_attempt_at <= now()
             OR (NOT $2 AND place.waiting < ${maxWaiting} AND place.sequence < coalesce(heads.sequence, 0)))
         ORDER BY place.leased_until NULLS FIRST LIMIT 1 FOR UPDATE OF place SKIP LOCKED
       )
       RETURNING endpoint.id, endpoint.account_id AS "accountId", endpoint.url, endpoint.project_id AS "projectId", endpoint.event_types AS "eventTypes",
         endpoint.tag_ids AS "tagIds", endpoint.per_link AS "perLink", endpoint.sealed_secret AS sealed,
         CASE WHEN endpoint.former_until > now() THEN endpoint.former_secret END AS former,
         place.sequence, place.failures, coalesce(heads.sequence, 0) AS head`,
      [processId, isOutage, busyHosts],
    );
    if (!row) return null;
    const { sealed, former, sequence, head, ...endpoint } = row;
    const secrets = this.openSecrets(endpoint.id, sealed, former);
    return { ...endpoint, secrets, sequence: Number(sequence), head: Number(head) };
  }

  /** Returns null if `API_KEY_PEPPER` has changed. */
  openSecrets(id: string, sealed: Buffer, former: Buffer | null): string[] | null {
    const current = this.seal.open(sealed, id);
    const before = former && this.seal.open(former, id);
    return current === null ? null : [current, ...(before === null ? [] : [before])];
  }

  /** Keeps the endpoints of a process that works. */
  async renew(processId: string, ids: readonly string[]): Promise<void> {
    await this.context.write(
      `UPDATE webhook_positions SET leased_until = now() + interval '${leaseSeconds} seconds'
       WHERE leased_by = $1 AND endpoint_id = ANY ($2)`,
      [processId, ids],
    );
  }

  /** Returns the events that wait, in their order. */
  async waiting({ id, accountId }: Pick<LeasedEndpoint, 'id' | 'accountId'>): Promise<Delivery[]> {
    const rows = await this.context.read<Omit<Delivery, 'event' | 'isNew' | 'sequence'> & { sequence: string }>(
      `SELECT sent.id, sent.sequence, sent.part, sent.type, sent.resource_id AS "resourceId", sent.attempts,
         coalesce(extract(epoch FROM now() - sent.first_attempt_at) * 1000, 0)::float8 AS "ageMs",
         coalesce(sent.next_attempt_at <= now(), true) AS "isDue",
         CASE WHEN sent.resource_id IS NOT NULL THEN ARRAY[sent.resource_id]
           ELSE coalesce((SELECT resource_ids FROM journal WHERE account_id = $2 AND journal.sequence = sent.sequence), '{}') END AS keys
       FROM webhook_deliveries AS sent WHERE sent.endpoint_id = $1 AND sent.state = 'waiting' ORDER BY sent.sequence, sent.part`,
      [id, accountId],
    );
    return rows.map((row) => ({ ...row, sequence: Number(row.sequence), isNew: false, event: null }));
  }

  /**
   * Stores the progress of an endpoint, and disables it if it has failed for days.
   * @param upTo the last entry whose events are stored or were delivered
   * @returns whether it was disabled
   * @throws LeaseLost
   */
  store(processId: string, endpoint: LeasedEndpoint, upTo: number, result: SliceResult): Promise<boolean> {
    return this.context.runAs({ kind: 'service' }, async () => {
      await this.context.write(
        `INSERT INTO webhook_deliveries AS sent (id, endpoint_id, sequence, part, type, resource_id, state, attempts, first_attempt_at,
           last_attempt_at, next_attempt_at, status, failure, answer, duration_ms)
         SELECT id, $1, sequence, part, type, resource_id, state, attempts, CASE WHEN attempted THEN now() END, CASE WHEN attempted THEN now() END,
           now() + pause_ms * interval '1 millisecond', status, failure, answer, duration_ms
         FROM jsonb_to_recordset($2) AS change (id uuid, sequence bigint, part integer, type text, resource_id uuid, state text, attempts integer,
           attempted boolean, pause_ms float8, status integer, failure text, answer text, duration_ms integer)
         WHERE EXISTS (SELECT FROM webhook_endpoints WHERE id = $1)
         ON CONFLICT ON CONSTRAINT webhook_deliveries_event_unique DO UPDATE SET state = excluded.state, attempts = excluded.attempts,
           first_attempt_at = CASE WHEN excluded.attempts > 1 THEN sent.first_attempt_at ELSE excluded.first_attempt_at END,
           last_attempt_at = coalesce(excluded.last_attempt_at, sent.last_attempt_at), next_attempt_at = excluded.next_attempt_at,
           status = excluded.status, failure = excluded.failure, answer = excluded.answer, duration_ms = excluded.duration_ms`,
        [endpoint.id, JSON.stringify(result.changes)],
      );
      const { failures, outagePauseMs, hasMore } = result;
      const places = await this.context.write(
        `UPDATE webhook_positions AS place SET
           sequence = CASE place.sequence WHEN $3 THEN $4 ELSE place.sequence END, failures = $5, waiting = waits.count,
           next_attempt_at = CASE WHEN $6::float8 IS NOT NULL THEN now() + $6 * interval '1 millisecond' WHEN $7 THEN now() ELSE waits.next END,
           leased_by = NULL, leased_until = now()
         FROM (
           SELECT count(*) AS count, min(next_attempt_at) AS next FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'waiting'
         ) AS waits
         WHERE place.endpoint_id = $1 AND place.leased_by = $2
         RETURNING endpoint_id`,
        [endpoint.id, processId, endpoint.sequence, upTo, failures, outagePauseMs, hasMore],
      );
      if (places.length === 0) throw new LeaseLost('the endpoint was deleted, or another process has it');
      await this.context.write(
        `UPDATE webhook_endpoints SET failing_since = CASE WHEN $2 THEN CASE WHEN $3 THEN now() ELSE coalesce(failing_since, now()) END END
         WHERE id = $1 AND ((failing_since IS NULL) = $2 OR ($2 AND $3))`,
        [endpoint.id, failures > 0, result.succeeded],
      );
      return failures > 0 && this.#disable(endpoint);
    });
  }

  async #disable({ id, accountId, projectId }: LeasedEndpoint): Promise<boolean> {
    const disabled = await this.context.write(
      `UPDATE webhook_endpoints SET enabled = false, disabled_at = now(), updated_at = now()
       WHERE id = $1 AND enabled AND failing_since <= now() - interval '${disabledAfterDays} days' RETURNING id`,
      [id],
    );
    if (disabled.length === 0) return false;
    const details = { reason: `no success in ${disabledAfterDays} days`, project_id: projectId };
    await this.context.write('SELECT journal_event($1, NULL, $2, $3, $4)', [
      accountId,
      'webhook.disabled',
      id,
      details,
    ]);
    return true;
  }

  /** Removes finished deliveries after a week, and those of an endpoint beyond its newest. Returns false if none remain. */
  async purge(batch: number): Promise<boolean> {
    const [row] = await this.context.write<{ removed: number }>(
      `WITH old AS (
         SELECT id FROM webhook_deliveries WHERE state <> 'waiting' AND created_at < now() - interval '7 days' LIMIT $1
       ), surplus AS (
         SELECT sent.id FROM webhook_endpoints AS endpoint CROSS JOIN LATERAL (
           SELECT id FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state <> 'waiting' ORDER BY created_at DESC, id DESC OFFSET ${maxFinished} LIMIT $1
         ) AS sent LIMIT $1
       ), removed AS (
         DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM old UNION SELECT id FROM surplus) RETURNING id
       )
       SELECT count(*)::int AS removed FROM removed`,
      [batch],
    );
    return row!.removed > 0;
  }

  /** Returns the age of the oldest undelivered event in seconds, and endpoints by their state. */
  async state(): Promise<{ oldestSeconds: number; failing: number; disabled: number }> {
    const [row] = await this.context.read<{ oldest: number; failing: number; disabled: number }>(
      `SELECT coalesce(extract(epoch FROM max(now() - oldest.at) FILTER (WHERE endpoint.enabled)), 0)::float8 AS oldest,
         count(*) FILTER (WHERE endpoint.enabled AND endpoint.failing_since IS NOT NULL)::int AS failing,
         count(*) FILTER (WHERE endpoint.disabled_at IS NOT NULL)::int AS disabled
       FROM webhook_endpoints AS endpoint JOIN webhook_positions AS place ON place.endpoint_id = endpoint.id
       CROSS JOIN LATERAL (
         SELECT min(entry.at) AS at FROM journal AS entry
         WHERE entry.account_id = endpoint.account_id AND entry.sequence = coalesce(
           (SELECT sequence FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'waiting' ORDER BY sequence, part LIMIT 1),
           place.sequence + 1
         )
       ) AS oldest`,
    );
    return { oldestSeconds: row!.oldest, failing: row!.failing, disabled: row!.disabled };
  }
}
