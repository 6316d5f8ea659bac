import { DatabaseError, type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { outsideRequests } from '../platform/postgres/deadline';
import type { ClickBatch, ClicksOfQuarter, WrittenVisitor } from './click-batch';
import { within } from '../platform/postgres/resilient-client';
import { ClickRepository } from './click.repository';

/** Milliseconds that one step of rolling up may take. Nobody waits for it but the next one, and a process that ends. */
const rollUpTimeout = 8000;

/** On pg itself, as all that link traffic writes. What the functions do is said in migrations/0007-clicks.sql. */
export class PgClickRepository extends ClickRepository {
  constructor(private readonly pool: Pool) {
    super();
  }

  async record(writer: string, number: number, batch: ClickBatch): Promise<void> {
    const rows = batch.rows();
    const of = (read: (row: ClicksOfQuarter) => string | null) => rows.map(read);
    const ofVisitors = (read: (visitor: WrittenVisitor) => string | null) =>
      of(({ visitors }) => textsOf(visitors.map(read)));
    await this.#withPartitions(
      () => this.makePartitions(rows.map(({ at }) => at)),
      () =>
        this.#query(
          'SELECT record_clicks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)',
          [
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
            of(({ times }) => `{${times.join(',')}}`),
            of(({ moments }) => `{${moments.join(',')}}`),
          ],
        ),
    );
  }

  async isRollUpDue(most: { clicks: number; batches: number; milliseconds: number }): Promise<boolean> {
    const { rows } = await this.#query<{ due: boolean | null }>(
      `SELECT sum(clicks) >= $1 OR count(*) >= $2 OR min(written_at) <= now() - $3 * interval '1 millisecond' AS due
       FROM fresh_click_batches`,
      [most.clicks, most.batches, most.milliseconds],
    );
    return rows[0]!.due === true;
  }

  async rollUp(batches: number): Promise<number> {
    return this.#withPartitions(
      () => this.#makePartitionsForFresh(),
      () => this.#rollUp(batches),
    );
  }

  /** Both in one message, which is one transaction: pg gives an answer a statement. */
  async #rollUp(batches: number): Promise<number> {
    const text = `SET LOCAL statement_timeout = ${rollUpTimeout}; SELECT roll_up_clicks(${Math.floor(batches)}) AS count`;
    const answers = (await outsideRequests(() => this.pool.query(within(rollUpTimeout + 500, { text })))) as unknown;
    return (answers as QueryResult<{ count: number }>[]).at(-1)!.rows[0]!.count;
  }

  async purgeSome(batch: number): Promise<boolean> {
    const { rows } = await this.#query<{ more: boolean }>('SELECT purge_clicks($1) AS more', [batch]);
    return rows[0]!.more;
  }

  async makePartitions(moments: Iterable<number>): Promise<void> {
    const days = new Set(Array.from(moments, (moment) => new Date(moment).toISOString().slice(0, 10)));
    await this.#query('SELECT make_click_partitions($1)', [[...days]]);
  }

  async dropPartitions(months: number): Promise<string[]> {
    const { rows } = await this.#query<{ dropped: string[] }>('SELECT drop_click_partitions($1) AS dropped', [months]);
    return rows[0]!.dropped;
  }

  async forgetWriters(): Promise<void> {
    await this.#query("DELETE FROM click_writers WHERE written_at < now() - interval '1 month'");
  }

  /** The visit that happens to begin it waits for none of it, and has none of it in its trace. */
  #query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<QueryResult<Row>> {
    return outsideRequests(() => this.pool.query<Row>(sql, values));
  }

  /** They are made ahead. Where one is missing all the same, as for the clock of a machine that is wrong, it is made now. */
  async #withPartitions<T>(make: () => Promise<void>, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!saysNoPartition(error)) throw error;
      await make();
      return write();
    }
  }

  async #makePartitionsForFresh(): Promise<void> {
    const { rows } = await this.#query<{ clicked_at: Date }>(
      `SELECT DISTINCT ON (date_trunc('month', clicked_at, 'UTC')) clicked_at
       FROM fresh_click_batches AS batch JOIN clicks ON batch_id = batch.id AND clicked_at BETWEEN first_at AND last_at`,
    );
    await this.makePartitions(rows.map(({ clicked_at }) => clicked_at.getTime()));
  }
}

/** A check violation (23514) of no constraint. */
const saysNoPartition = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '23514' && error.constraint === undefined;

/** An array literal; null where there are none but nulls, so that nothing is sent. */
const idsOf = (ids: (string | null)[]): string | null => literalOf(ids, (id) => id);

/** Of texts that have neither quotes nor backslashes in them: "null" may be a host. */
const textsOf = (texts: (string | null)[]): string | null => literalOf(texts, (text) => `"${text}"`);

function literalOf(elements: (string | null)[], write: (element: string) => string): string | null {
  if (elements.every((element) => element === null)) return null;
  return `{${elements.map((element) => (element === null ? 'NULL' : write(element))).join(',')}}`;
}
