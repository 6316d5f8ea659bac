import type { Pool } from 'pg';
import { outsideRequests } from '../../platform/postgres/deadline';
import type { IssuedClickId } from './click-id';

const maxIds = 1000;

export class PgClickIdRepository {
  constructor(private readonly pool: Pool) {}

  /** Stores ids once each, or in a region keeps them for the primary. */
  async record(ids: readonly IssuedClickId[]): Promise<void> {
    // Outside the request context, because one write serves many visits.
    await outsideRequests(() =>
      this.pool.query('SELECT record_click_ids($1, $2, $3, $4, $5, $6, $7)', [
        ids.map(({ digest }) => digest),
        ids.map(({ projectId }) => projectId),
        ids.map(({ dynamicLinkId }) => dynamicLinkId),
        ids.map(({ shortLinkId }) => shortLinkId),
        ids.map(({ platform }) => platform),
        ids.map(({ variant }) => variant),
        ids.map(({ day }) => day),
      ]),
    );
  }

  /** Stores the ids of a region in this database, which is that of the primary. They are delivered twice, like opens of apps. */
  async receive(region: Pool, isStopped: () => boolean): Promise<void> {
    while (!isStopped()) {
      const { rows } = await region.query<IssuedClickId>(
        `SELECT digest, project_id AS "projectId", dynamic_link_id AS "dynamicLinkId", short_link_id AS "shortLinkId", platform, variant,
                issued_on::text AS day
         FROM click_id_deliveries WHERE delivered_at IS NULL OR delivered_at < now() - interval '1 hour' LIMIT ${maxIds}`,
      );
      if (rows.length === 0) return;
      await this.record(rows);
      const digests = [rows.map(({ digest }) => digest)];
      const ofDelivered = 'digest = ANY ($1) AND delivered_at IS NOT NULL';
      await region.query(`DELETE FROM click_id_deliveries WHERE ${ofDelivered}`, digests);
      await region.query('UPDATE click_id_deliveries SET delivered_at = now() WHERE digest = ANY ($1)', digests);
    }
  }
}
