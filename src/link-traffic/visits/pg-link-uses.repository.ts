import type { Pool } from 'pg';
import { outsideRequests } from '../../platform/postgres/request-context';

/** Counts in the database of the primary, because a limit is that of all regions together. */
export class PgLinkUsesRepository {
  constructor(private readonly primary: Pool) {}

  /** Uses one click of a link with a limit. Returns false if none is left. */
  async use(linkId: string): Promise<boolean> {
    const { rows } = await this.primary.query<{ left: boolean | null }>('SELECT use_link($1) AS left', [linkId]);
    const left = rows[0]!.left;
    if (left !== true) await this.primary.query('SELECT end_used_link($1)', [linkId]);
    return left !== null;
  }

  /** Counts visits after the end of links. */
  async countEnded(linkIds: readonly string[]): Promise<void> {
    // Outside the request context, because one write serves many visits.
    await outsideRequests(() =>
      this.primary.query(
        `INSERT INTO link_uses AS uses (dynamic_link_id, ended_visits)
         SELECT id, count(*) FROM unnest($1::uuid[]) AS ended (id) JOIN dynamic_links USING (id) GROUP BY id ORDER BY id
         ON CONFLICT (dynamic_link_id) DO UPDATE SET ended_visits = uses.ended_visits + excluded.ended_visits`,
        [linkIds],
      ),
    );
  }
}
