import { DatabaseError, type Pool, type QueryResult, type QueryResultRow } from 'pg';
import { outsideRequests } from '../database/deadline';
import type { Click } from './click';
import type { ClickBatch } from './click-batch';
import { ClickRepository } from './click.repository';

/** On pg itself, as all that link traffic writes. What the functions do is said in migrations/0007-clicks.sql. */
export class PgClickRepository extends ClickRepository {
  constructor(private readonly pool: Pool) {
    super();
  }

  async record(writer: string, number: number, { kinds, kindOf, since, moments }: ClickBatch): Promise<void> {
    const of = (read: (kind: Click) => string | null) => arrayOf(kinds.map((kind) => read(kind) ?? ''));
    await this.#withPartitions(
      () => this.makePartitions(moments.map((moment) => since + moment)),
      () =>
        this.#query('SELECT record_clicks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)', [
          writer,
          number,
          of((kind) => kind.projectId),
          of((kind) => kind.linkId),
          of((kind) => kind.shortLinkId),
          of((kind) => kind.source),
          of((kind) => kind.client.platform),
          of((kind) => kind.client.browser),
          of((kind) => kind.referrer),
          of((kind) => kind.country),
          of((kind) => String(kind.client.robot)),
          of((kind) => String(kind.qr)),
          since,
          `{${kindOf.join(',')}}`,
          `{${moments.join(',')}}`,
        ]),
    );
  }

  async beginRollUp(interval: number): Promise<boolean> {
    const { rowCount } = await this.#query(
      `UPDATE click_roll_ups SET begun_at = now() WHERE begun_at <= now() - $1 * interval '1 millisecond'`,
      [interval],
    );
    return rowCount === 1;
  }

  async rollUp(batch: number): Promise<number> {
    const { rows } = await this.#withPartitions(
      () => this.#makePartitionsForFresh(),
      () => this.#query<{ count: number }>('SELECT roll_up_clicks($1) AS count', [batch]),
    );
    return rows[0]!.count;
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
    const { rows } = await this.#query<{ quarter: Date }>(
      "SELECT DISTINCT ON (date_trunc('month', quarter, 'UTC')) quarter FROM fresh_clicks",
    );
    await this.makePartitions(rows.map(({ quarter }) => quarter.getTime()));
  }
}

/** A check violation (23514) of no constraint. */
const saysNoPartition = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '23514' && error.constraint === undefined;

/** An array literal of texts that have neither quotes nor backslashes in them; pg's own way takes ten times as long. */
const arrayOf = (texts: string[]): string => `{"${texts.join('","')}"}`;
