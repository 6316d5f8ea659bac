import type { Pool } from 'pg';

/** Reads host names of verified custom domains (docs/decisions/0020-read-models.md). */
export class PgVerifiedDomainRepository {
  constructor(private readonly pool: Pool) {}

  async listVerified(): Promise<string[]> {
    const { rows } = await this.pool.query<[string]>({
      text: 'SELECT hostname FROM custom_domains WHERE verified_at IS NOT NULL',
      rowMode: 'array',
    });
    return rows.map(([hostname]) => hostname);
  }
}
