import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { advisoryLocks } from '../../platform/postgres/advisory-locks';
import { isLockTimeout } from '../../platform/postgres/database-error';
import { inTransaction } from '../../platform/postgres/in-transaction';
import { within } from '../../platform/postgres/resilient-client';
import type { ClicksOfQuarter } from './click-batch';
import { type ClickCopyRow, clicksOf, type CopiedClicks, lastOf, rowsPerPart } from './click-copy-rows';

/** A statement of the copy reads some megabytes, or a month of clicks. It has no visitor who waits. */
const timeoutMs = 10 * 60_000;

/** Clicks are written between two waits for the lock, because they wait behind the copy. */
const lockPauseMs = 1000;

const copiesElsewhere = 'another process copies clicks; wait until it ends, and run the command again';

/** Selects the clicks of the month `$1`, by the bounds of its partition. */
const ofMonth = `clicked_at >= $1::date::timestamp AT TIME ZONE 'UTC'
         AND clicked_at < ($1::date + interval '1 month')::timestamp AT TIME ZONE 'UTC'`;

export interface CopyPart {
  after: string;
  last: string;
  /** When the copy of the month began. A copy that begins again gets other tokens, so that ClickHouse takes its inserts. */
  begun: string;
  rows: ClicksOfQuarter[];
}

/** Counts clicks of projects by day (UTC), with keys such as `<project> 2026-11-21`. */
export type ClicksByDay = Map<string, number>;

/** Reads clicks of PostgreSQL that ClickHouse lacks, and keeps the progress of their copy. */
export class PgClickCopies {
  /** @param pool bypasses a pooler in transaction mode, because the lock of a copy belongs to a session */
  constructor(private readonly pool: Pool) {}

  /**
   * Runs `work` unless another process copies.
   * @throws Error if another process copies
   */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const client: PoolClient = await this.pool.connect();
    try {
      await lock(client);
      try {
        return await work();
      } finally {
        await client.query(`SELECT pg_advisory_unlock(${advisoryLocks.clickCopy})`);
      }
    } finally {
      client.release();
    }
  }

  /** Returns the day (UTC) by the clock of the database, such as `2026-11-21`. */
  async today(): Promise<string> {
    const [row] = await this.#query<{ today: string }>(
      "SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today",
    );
    return row!.today;
  }

  /** Returns the first days of the months that have clicks, such as `2026-11-01`. */
  async months(): Promise<string[]> {
    const rows = await this.#query<{ month: string }>(
      `SELECT to_char(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM'), 'YYYY-MM-DD') AS month
       FROM pg_inherits WHERE inhparent = 'clicks'::regclass ORDER BY 1`,
    );
    return rows.map(({ month }) => month);
  }

  /** Returns a batch that all earlier batches have committed before. A roll-up of clicks can hold the lock for a minute. */
  async lastBatch(): Promise<string> {
    for (const giveUpAt = performance.now() + timeoutMs; ; await sleep(lockPauseMs))
      try {
        const [row] = await this.#query<{ last: string }>(
          // Each transaction that adds clicks shares the lock, so that all of them have ended when this statement ends.
          `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(1668049251, 1))
           SELECT (SELECT coalesce(max(batch_id), 0) FROM clicks) AS last FROM locked`,
        );
        return row!.last;
      } catch (error) {
        if (!isLockTimeout(error) || performance.now() > giveUpAt) throw error;
      }
  }

  /**
   * Returns the next part of a month, and notes where it ends. Returns null after the batch `until`.
   * @throws Error if another process copies the month
   */
  async next(month: string, until: string): Promise<CopyPart | null> {
    const [noted] = await this.#query<{ last_batch_id: string; next_batch_id: string | null; begun: string }>(
      `INSERT INTO click_copies AS copy (month) VALUES ($1)
       ON CONFLICT (month) DO UPDATE SET month = excluded.month RETURNING last_batch_id, next_batch_id, begun_at::text AS begun`,
      [month],
    );
    const { last_batch_id: after, next_batch_id: planned, begun } = noted!;
    if (planned !== null) return { after, last: planned, begun, rows: await this.#rows(month, after, planned, null) };
    const read = await this.#rows(month, after, until, rowsPerPart);
    if (read.length === 0) return null;
    const last = lastOf(read);
    await this.#note('next_batch_id = $3 WHERE month = $1 AND last_batch_id = $2 AND next_batch_id IS NULL', [
      month,
      after,
      last,
    ]);
    const rows = read.some(({ batch }) => batch === last && read.length === rowsPerPart)
      ? await this.#rows(month, after, last, null)
      : read.filter(({ batch }) => BigInt(batch) <= BigInt(last));
    return { after, last, begun, rows };
  }

  /**
   * Notes that ClickHouse has the part.
   * @throws Error if another process copies the month
   */
  async done(month: string, { after, last, rows }: CopyPart): Promise<void> {
    await this.#note(
      `last_batch_id = $3, next_batch_id = NULL, clicks = clicks + $4, copied_at = now()
       WHERE month = $1 AND last_batch_id = $2 AND next_batch_id = $3`,
      [month, after, last, rows.reduce((sum, { moments }) => sum + moments.length, 0)],
    );
  }

  /** Counts clicks of projects that are not deleted. */
  async countByDay(month: string): Promise<ClicksByDay> {
    const rows = await this.#query<{ project_id: string; day: string; clicks: string }>(
      `SELECT project_id, to_char(clicked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(cardinality(moments)) AS clicks
       FROM clicks JOIN projects ON projects.id = project_id AND projects.deleted_at IS NULL
       WHERE ${ofMonth}
       GROUP BY 1, 2`,
      [month],
    );
    return new Map(rows.map(({ project_id, day, clicks }) => [`${project_id} ${day}`, Number(clicks)]));
  }

  async deletedOf(projectIds: string[]): Promise<Set<string>> {
    const rows = await this.#query<{ id: string }>(
      'SELECT id FROM projects WHERE id = ANY ($1) AND deleted_at IS NULL',
      [projectIds],
    );
    const live = new Set(rows.map(({ id }) => id));
    return new Set(projectIds.filter((id) => !live.has(id)));
  }

  /** Changes the progress of a month, which only moves forward. */
  async #note(change: string, values: unknown[]): Promise<void> {
    const noted = await this.#query(`UPDATE click_copies SET ${change} RETURNING month`, values);
    if (noted.length === 0) throw new Error(copiesElsewhere);
  }

  /** Reads rows in the order of their batches. `limit` can cut off the last batch. */
  async #rows(month: string, after: string, until: string, limit: number | null): Promise<CopiedClicks[]> {
    const rows = await this.#query<ClickCopyRow>(
      `SELECT batch_id, project_id, (extract(epoch FROM clicked_at) * 1000)::bigint AS at,
              dynamic_link_ids::text[], short_link_ids::text[], sources, platforms, browsers, referrers, countries, bots, qrs,
              opened, opened_by, times, moments
       FROM clicks
       WHERE ${ofMonth} AND batch_id > $2 AND batch_id <= $3 AND mirrored IS NOT TRUE
       ORDER BY batch_id, project_id, clicked_at LIMIT $4`,
      [month, after, until, limit],
    );
    return rows.map(clicksOf);
  }

  async #query<Result extends object>(text: string, values: unknown[] = []): Promise<Result[]> {
    const client = await this.pool.connect();
    try {
      return await inTransaction(client, async () => {
        await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
        return (await client.query<Result>(within(timeoutMs, { text, values }))).rows;
      });
    } finally {
      client.release();
    }
  }
}

/** @throws Error if another process holds the lock for ten seconds. PostgreSQL may notice the end of a killed one late. */
async function lock(client: PoolClient): Promise<void> {
  for (let attempts = 0; attempts < 50; attempts++) {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${advisoryLocks.clickCopy}) AS locked`,
    );
    if (rows[0]!.locked) return;
    await sleep(200);
  }
  throw new Error(copiesElsewhere);
}
