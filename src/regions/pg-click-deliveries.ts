import type { Pool } from 'pg';
import type { AppEvent } from '../clicks/app-events/app-event';
import { PgAppEventRepository } from '../clicks/app-events/pg-app-event.repository';
import type { IssuedClickId } from '../clicks/conversions/click-id';
import { PgClickIdRepository } from '../clicks/conversions/pg-click-id.repository';
import { clickArrays } from '../clicks/recording/click';
import { PgClickRepository } from '../clicks/recording/pg-click.repository';

/** A delivery takes some tenths of a second in the primary at most. */
const maxClicks = 20_000;

/** Events or click ids. */
const maxRows = 1000;

const ofLink = 'digest, project_id AS "projectId", dynamic_link_id AS "dynamicLinkId", platform, variant';
const appEventColumns = `${ofLink}, event, (extract(epoch FROM happened_at) * 1000)::float8 AS at, version, country, browser, times`;
const clickIdColumns = `${ofLink}, short_link_id AS "shortLinkId", issued_on::text AS day`;

/** The columns of `click_deliveries` that are parameters of `record_clicks`, in their order. */
const parameters = ['project_ids', 'first_moments', ...clickArrays, 'moments'];

interface Delivery {
  number: string;
  clicks: number;
  months: Date[];
  /** The values of `parameters` as PostgreSQL writes arrays, because the primary reads them so. */
  values: string[];
}

/**
 * Delivers the clicks, opens, claims and click ids of a region to its primary. Deliveries of clicks are numbered and sent in order, and the
 * primary ignores a number that it has. So each click counts once, whichever answer is lost and however many processes deliver.
 */
export class PgClickDeliveries {
  readonly #atPrimary: PgClickRepository;
  readonly #eventsAtPrimary: PgAppEventRepository;
  readonly #clickIdsAtPrimary: PgClickIdRepository;

  constructor(
    private readonly region: Pool,
    primary: Pool,
    private readonly writer: string,
    private readonly warn: (message: string) => void = () => {},
  ) {
    this.#atPrimary = new PgClickRepository(primary);
    this.#eventsAtPrimary = new PgAppEventRepository(primary);
    this.#clickIdsAtPrimary = new PgClickIdRepository(primary);
  }

  /**
   * Sends everything that the primary does not have.
   * @param last the number of the last delivery that the primary has
   */
  async deliver(last: string, isStopped: () => boolean = () => false): Promise<void> {
    // A conversion may follow its visit soon, so click ids go first.
    await this.#deliverTwice<IssuedClickId>('click_id_deliveries', clickIdColumns, isStopped, (ids) =>
      this.#clickIdsAtPrimary.record(ids),
    );
    await this.#deliverClicks(last, isStopped);
    await this.#deliverTwice<AppEvent>('app_event_deliveries', appEventColumns, isStopped, (events) =>
      this.#eventsAtPrimary.record(events),
    );
  }

  /**
   * Sends the rows of a table, which count once by their digests. If the answer of a statement is lost, the next delivery repeats its
   * rows. Each one is repeated after an hour, because a failover of the primary may have lost it.
   */
  async #deliverTwice<Row extends { digest: Buffer }>(
    table: string,
    columns: string,
    isStopped: () => boolean,
    record: (rows: Row[]) => Promise<void>,
  ): Promise<void> {
    while (!isStopped()) {
      const { rows } = await this.region.query<Row>(
        `SELECT ${columns} FROM ${table} WHERE delivered_at IS NULL OR delivered_at < now() - interval '1 hour' LIMIT ${maxRows}`,
      );
      if (rows.length === 0) return;
      await record(rows);
      const digests = [rows.map(({ digest }) => digest)];
      await this.region.query(`DELETE FROM ${table} WHERE digest = ANY ($1) AND delivered_at IS NOT NULL`, digests);
      await this.region.query(`UPDATE ${table} SET delivered_at = now() WHERE digest = ANY ($1)`, digests);
    }
  }

  async #deliverClicks(last: string, isStopped: () => boolean): Promise<void> {
    // The answer of one that the primary has may have been lost.
    await this.region.query(
      'UPDATE click_deliveries SET delivered_at = now() WHERE number <= $1 AND delivered_at IS NULL',
      [last],
    );
    await this.#skipUsedNumbers(last);
    let sent = last;
    while (!isStopped()) {
      const next = (await this.#findAfter(sent)) ?? ((await this.#make()) && (await this.#findAfter(sent)));
      if (!next) break;
      const isRecorded = await this.#atPrimary.recordDelivery(
        sent,
        next.months.map((month) => month.getTime()),
        [this.writer, next.number, next.clicks, ...next.values],
      );
      // The primary has changed meanwhile. The next contact asks it for its last delivery.
      if (!isRecorded) return;
      await this.region.query('UPDATE click_deliveries SET delivered_at = now() WHERE number = $1', [next.number]);
      sent = next.number;
    }
    await this.region.query(
      "DELETE FROM click_deliveries WHERE number <= $1 AND delivered_at < now() - interval '1 hour'",
      [last],
    );
  }

  /** Counts the clicks, opens, claims and click ids that the primary does not have. */
  async countUndelivered(): Promise<number> {
    const { rows } = await this.region.query<{ clicks: string }>(
      `SELECT (SELECT coalesce(sum(clicks), 0) FROM fresh_click_batches)
            + (SELECT coalesce(sum(clicks), 0) FROM click_deliveries WHERE delivered_at IS NULL)
            + (SELECT count(*) FROM app_event_deliveries WHERE delivered_at IS NULL)
            + (SELECT count(*) FROM click_id_deliveries WHERE delivered_at IS NULL) AS clicks`,
    );
    return Number(rows[0]!.clicks);
  }

  /** Leaves out the numbers that the region gave before it lost its last deliveries. The primary would ignore their clicks. */
  async #skipUsedNumbers(last: string): Promise<void> {
    const { rows } = await this.region.query<{ skipped: boolean }>('SELECT skip_click_deliveries($1) AS skipped', [
      last,
    ]);
    if (rows[0]!.skipped)
      this.warn(
        `the primary has deliveries of clicks up to ${last}, which this database lacks. If it was restored or a standby took over, run "admin region add --rebuild".`,
      );
  }

  async #findAfter(number: string): Promise<Delivery | null> {
    const { rows } = await this.region.query<Delivery>(
      `SELECT number, clicks, ARRAY[${parameters.map((name) => `${name}::text`).join(', ')}] AS values,
              ARRAY(SELECT DISTINCT date_trunc('month', to_timestamp(moment / 1000.0), 'UTC') FROM unnest(first_moments) AS moment) AS months
       FROM click_deliveries WHERE number > $1 ORDER BY number LIMIT 1`,
      [number],
    );
    return rows[0] ?? null;
  }

  /** Makes deliveries until one has clicks; returns false if no clicks wait. */
  async #make(): Promise<boolean> {
    const { rows } = await this.region.query<{ batches: number }>('SELECT make_click_delivery($1) AS batches', [
      maxClicks,
    ]);
    return rows[0]!.batches > 0;
  }
}
