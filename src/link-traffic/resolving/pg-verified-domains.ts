import type { Pool } from 'pg';

/** Reads the host names of verified custom domains (docs/decisions/0020-read-models.md). */
export async function verifiedDomains(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<[string]>({
    text: 'SELECT hostname FROM custom_domains WHERE verified_at IS NOT NULL',
    rowMode: 'array',
  });
  return rows.map(([hostname]) => hostname);
}
