import { DatabaseError, type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { outsideRequests } from '../../platform/postgres/request-context';
import type { ClickBatch, ClicksOfQuarter, WrittenVisitor } from './click-batch';
import { within } from '../../platform/postgres/resilient-client';

/** A delivery of a region may have megabytes, and its way may lead to another continent. */
export const deliveryTimeoutMs = 30_000;

/** Far longer than a roll-up takes, which its number of clicks limits. It ends one whose server is frozen. */
const rollUpTimeoutMs = 60_000;

/**
 * Clicks of links with few clicks wait in rows that many links share. A row is merged after so many roll-ups, and a link with so
 * many clicks moves to its sums.
 */
const merging = { elements: 200_000, rows: 16, clicks: 128 };

const recordClicks = 'record_clicks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)';

/** Calls the functions of `migrations/*-click*.sql`. It uses pg directly, as all writes of link traffic do. */
export class PgClickRepository {
  /** @param isRegion keeps the clicks without sums, because the primary adds them up (docs/decisions/0017-regions.md) */
  constructor(
    private readonly pool: Pool,
    private readonly isRegion = false,
  ) {}

  /**
   * Writes a batch, which counts once however often it is sent. Clicks of deleted projects are left out, or removed later.
   * @param writer the id of the process
   * @param number from 1, in the writer's order; after a batch, the writer sends no earlier one
   */
  record(writer: string, number: number, batch: ClickBatch): Promise<void> {
    return this.#record(writer, number, batch);
  }

  /** Writes a batch that ClickHouse has already, so that a copy of clicks leaves it out. */
  recordMirrored(writer: string, number: number, batch: ClickBatch): Promise<void> {
    // The setting ends with the transaction, which is this statement.
    const setting = "SELECT set_config('signpost.mirrors_clicks', 'on', true)";
    return this.#record(
      writer,
      number,
      batch,
      `WITH setting AS MATERIALIZED (${setting}) SELECT ${recordClicks} FROM setting`,
    );
  }

  async #record(writer: string, number: number, batch: ClickBatch, sql = `SELECT ${recordClicks}`): Promise<void> {
    const rows = batch.rows();
    const of = (read: (row: ClicksOfQuarter) => string | null) => rows.map(read);
    const ofVisitors = (read: (visitor: WrittenVisitor) => string | null) =>
      of(({ visitors }) => textsOf(visitors.map(read)));
    const values = [
      writer,
      number,
      batch.size,
      of(({ projectId }) => projectId),
      rows.map(({ at }) => at),
      of(({ links }) => idsOf(links.map(({ id }) => id))),
      of(({ links }) => idsOf(links.map(({ shortLinkId }) => shortLinkId))),
      of(({ links }) => textsOf(links.map(({ shortLinkSource }) => shortLinkSource))),
      ofVisitors(({ client }) => client.platform),
      ofVisitors(({ client }) => client.browser),
      ofVisitors(({ referrer }) => referrer),
      ofVisitors(({ country }) => country),
      ofVisitors(({ client }) => (client.robot ? 'true' : null)),
      ofVisitors(({ qr }) => (qr ? 'true' : null)),
      of(({ opened }) => `{${opened.join(',')}}`),
      of(({ openedBy }) => `{${openedBy.join(',')}}`),
      of(({ counts }) => `{${counts.join(',')}}`),
      of(({ moments }) => `{${moments.join(',')}}`),
    ];
    await this.#withPartitions(
      () => this.createPartitions(rows.map(({ at }) => at)),
      () => this.#query(sql, values),
    );
  }

  /**
   * Records a delivery of a region if the one before is the last that this database has. Returns false if another one is, such as
   * after a failover.
   * @param values of the parameters of `record_clicks`
   */
  async recordDelivery(before: string, moments: number[], values: unknown[]): Promise<boolean> {
    const text = `SELECT ${recordClicks} WHERE coalesce((SELECT batch FROM click_writers WHERE id = $1), 0) = $19`;
    const query = within(deliveryTimeoutMs + 500, { text, values: [...values, before] });
    const { rowCount } = await this.#withPartitions(
      () => this.createPartitions(moments),
      () => outsideRequests(() => this.pool.query(query)),
    );
    return rowCount === 1;
  }

  /** Returns whether fresh clicks reach one of the limits; `milliseconds` is the age of the oldest batch. */
  async isRollUpDue(limits: { clicks: number; batches: number; milliseconds: number }): Promise<boolean> {
    if (this.isRegion) return false;
    const { rows } = await this.#query<{ due: boolean | null }>(
      `SELECT sum(clicks) >= $1 OR count(*) >= $2 OR min(written_at) <= now() - $3 * interval '1 millisecond' AS due
       FROM fresh_click_batches`,
      [limits.clicks, limits.batches, limits.milliseconds],
    );
    return rows[0]!.due === true;
  }

  /**
   * Adds the oldest fresh batches to the sums: up to so many clicks, or one batch. Returns the number of clicks; 0 if none are
   * fresh, or while another process does it.
   */
  async rollUp(clicks: number): Promise<number> {
    return this.#withPartitions(
      () => this.#createPartitionsForFresh(),
      () => this.#callSlow(`roll_up_fresh_clicks(${Math.floor(clicks)})`),
    );
  }

  /** Merges a part of the clicks that wait for the sums of their links; returns false if nothing is due. */
  async mergeSome(): Promise<boolean> {
    const { elements, rows, clicks } = merging;
    return (await this.#callSlow(`merge_clicks_by_link(${elements}, ${rows}, ${clicks}, 0)`)) > 0;
  }

  /** Sends both statements in one message, which is one transaction. pg returns one result per statement. */
  async #callSlow(call: string): Promise<number> {
    const text = `SET LOCAL statement_timeout = ${rollUpTimeoutMs}; SELECT ${call} AS result`;
    const answers = (await outsideRequests(() => this.pool.query(within(rollUpTimeoutMs + 500, { text })))) as unknown;
    return (answers as QueryResult<{ result: number }>[]).at(-1)!.rows[0]!.result;
  }

  /** Removes up to `batch` rows of deleted projects; returns true once no rows remain for this process. */
  async purgeSome(batch: number): Promise<boolean> {
    const name = this.isRegion ? 'purge_region' : 'purge_clicks';
    const { rows } = await this.#query<{ more: boolean }>(`SELECT ${name}($1) AS more`, [batch]);
    return !rows[0]!.more;
  }

  async createPartitions(moments: Iterable<number>): Promise<void> {
    const days = new Set(Array.from(moments, (moment) => new Date(moment).toISOString().slice(0, 10)));
    await this.#createPartitions(`'{${[...days].join()}}'`);
  }

  /** Creates the partitions of the current month, by the clock of the database, and of so many months after it. */
  createPartitionsAhead(months: number): Promise<void> {
    return this.#createPartitions(`ARRAY(
      SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead))::date
      FROM generate_series(0, ${months}) AS ahead
    )`);
  }

  async #createPartitions(days: string): Promise<void> {
    const text = `SELECT make_click_partitions(${days})`;
    await outsideRequests(() => this.pool.query(within(rollUpTimeoutMs + 500, { text })));
  }

  /** Drops the partitions before the last `months` whole months, and returns their names. */
  async dropPartitions(months: number): Promise<string[]> {
    const { rows } = await this.#query<{ dropped: string[] }>('SELECT drop_click_partitions($1) AS dropped', [months]);
    return rows[0]!.dropped;
  }

  /** Removes up to `batch` ids of opens and claims after a week, and sums after so many whole months; returns true once none remain. */
  async purgeAppEvents(months: number, batch: number): Promise<boolean> {
    const { rows } = await this.#query<{ more: boolean }>('SELECT purge_app_events($1, $2) AS more', [months, batch]);
    return !rows[0]!.more;
  }

  /** Removes up to `batch` click ids a week after their window, and conversions after so many whole months; returns true once none remain. */
  async purgeConversions(months: number, batch: number): Promise<boolean> {
    const { rows } = await this.#query<{ more: boolean }>('SELECT purge_conversions($1, $2) AS more', [months, batch]);
    return !rows[0]!.more;
  }

  async deleteIdleWriters(): Promise<void> {
    // A region that was cut off delivers again what the primary has not confirmed, so its last batch must stay known.
    await this.#query(
      `DELETE FROM click_writers WHERE written_at < now() - interval '1 month' AND id NOT IN (SELECT writer FROM regions)`,
    );
  }

  #query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<QueryResult<Row>> {
    return outsideRequests(() => this.pool.query<Row>(sql, values));
  }

  /** Creates a missing partition and retries. Partitions exist ahead of time unless a machine's clock is wrong. */
  async #withPartitions<T>(createPartitions: () => Promise<void>, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      await createPartitions();
      return write();
    }
  }

  async #createPartitionsForFresh(): Promise<void> {
    const { rows } = await this.#query<{ clicked_at: Date }>(
      `SELECT DISTINCT ON (date_trunc('month', clicked_at, 'UTC')) clicked_at
       FROM fresh_click_batches AS batch JOIN clicks ON batch_id = batch.id AND clicked_at BETWEEN first_at AND last_at`,
    );
    await this.createPartitions(rows.map(({ clicked_at }) => clicked_at.getTime()));
  }
}

const isMissingPartition = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '23514' && error.constraint === undefined;

const idsOf = (ids: (string | null)[]): string | null => literalOf(ids, (id) => id);

/** Quotes each text, because a host may be called "null". The texts contain neither quotes nor backslashes. */
const textsOf = (texts: (string | null)[]): string | null => literalOf(texts, (text) => `"${text}"`);

function literalOf(elements: (string | null)[], write: (element: string) => string): string | null {
  if (elements.every((element) => element === null)) return null;
  return `{${elements.map((element) => (element === null ? 'NULL' : write(element))).join(',')}}`;
}
