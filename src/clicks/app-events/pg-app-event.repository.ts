import type { Pool } from 'pg';
import { outsideRequests } from '../../platform/postgres/deadline';
import type { AppEvent } from './app-event';

const maxEvents = 1000;

interface StoredEvent {
  digest: Buffer;
  event: string;
  project_id: string;
  dynamic_link_id: string;
  happened_at: Date;
  platform: string;
  version: string;
  country: string;
  variant: string;
  browser: string;
  times: number;
}

export class PgAppEventRepository {
  constructor(private readonly pool: Pool) {}

  /** Counts events once each, or in a region keeps them for the primary. */
  async record(events: readonly AppEvent[]): Promise<void> {
    await this.#record(
      events.map((event) => ({
        ...event,
        project_id: event.projectId,
        dynamic_link_id: event.dynamicLinkId,
        happened_at: new Date(event.at),
      })),
    );
  }

  /**
   * Counts the events of a region in this database, which is that of the primary. If the answer of a statement is lost, the next
   * delivery repeats its events. Each one is repeated after an hour, because a failover of the primary may have lost it.
   */
  async receive(region: Pool, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const { rows } = await region.query<StoredEvent>(
        `SELECT * FROM app_event_deliveries WHERE delivered_at IS NULL OR delivered_at < now() - interval '1 hour' LIMIT ${maxEvents}`,
      );
      if (rows.length === 0) return;
      await this.#record(rows);
      const digests = [rows.map(({ digest }) => digest)];
      await region.query(
        'DELETE FROM app_event_deliveries WHERE digest = ANY ($1) AND delivered_at IS NOT NULL',
        digests,
      );
      await region.query('UPDATE app_event_deliveries SET delivered_at = now() WHERE digest = ANY ($1)', digests);
    }
  }

  async #record(events: readonly StoredEvent[]): Promise<void> {
    // Outside the request context, because one write serves many requests.
    await outsideRequests(() =>
      this.pool.query('SELECT record_app_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', [
        events.map(({ digest }) => digest),
        events.map(({ event }) => event),
        events.map((event) => event.project_id),
        events.map((event) => event.dynamic_link_id),
        events.map((event) => event.happened_at),
        events.map(({ platform }) => platform),
        events.map(({ version }) => version),
        events.map(({ country }) => country),
        events.map(({ variant }) => variant),
        events.map(({ browser }) => browser),
        events.map(({ times }) => times),
      ]),
    );
  }
}
