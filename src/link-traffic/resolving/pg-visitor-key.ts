import type { Pool } from 'pg';
import type { VisitorKey } from './visitor-keys';

/** Reads the key of the day; null in a region that has not received it yet. */
export async function visitorKey(pool: Pool): Promise<VisitorKey | null> {
  const { rows } = await pool.query<{ visitor_key: Buffer; remaining_ms: number }>('SELECT * FROM visitor_key()');
  return rows[0] ? { key: rows[0].visitor_key, remainingMs: rows[0].remaining_ms } : null;
}
