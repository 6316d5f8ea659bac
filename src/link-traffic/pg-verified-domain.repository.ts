import type { Pool } from 'pg';
import { VerifiedDomainRepository } from './verified-domain.repository';

export class PgVerifiedDomainRepository extends VerifiedDomainRepository {
  constructor(private readonly pool: Pool) {
    super();
  }

  async listVerified(): Promise<string[]> {
    const { rows } = await this.pool.query<[string]>({
      text: 'SELECT hostname FROM custom_domains WHERE verified_at IS NOT NULL',
      rowMode: 'array',
    });
    return rows.map(([hostname]) => hostname);
  }

  async findVerified(hostnames: string[]): Promise<string[]> {
    const { rows } = await this.pool.query<[string]>({
      name: 'custom-hosts',
      text: 'SELECT hostname FROM custom_domains WHERE hostname = ANY($1) AND verified_at IS NOT NULL',
      values: [hostnames],
      rowMode: 'array',
    });
    return rows.map(([hostname]) => hostname);
  }
}
