import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Subdomain } from './project';
import { SubdomainRepository } from './subdomain.repository';

@Injectable()
export class TypeormSubdomainRepository extends SubdomainRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async lockFormer(projectId: string): Promise<Subdomain[]> {
    await this.context.manager.query('SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
    const rows = await this.context.read<{ name: Subdomain }>(
      'SELECT name FROM subdomains WHERE project_id = $1 AND left_at IS NOT NULL',
      [projectId],
    );
    return rows.map((row) => row.name);
  }

  async release(deletedUntil: Date, name?: Subdomain): Promise<number> {
    const [, released] = await this.context.manager.query<[unknown, number]>(
      `DELETE FROM subdomains WHERE project_id IS NULL AND left_at <= $1${name === undefined ? '' : ' AND name = $2'}`,
      name === undefined ? [deletedUntil] : [deletedUntil, name],
    );
    return released;
  }

  async releaseBeyond(accountId: string, max: number): Promise<void> {
    await this.context.manager.query(
      `DELETE FROM subdomains WHERE name IN (
         SELECT name FROM subdomains WHERE account_id = $1 AND project_id IS NULL ORDER BY left_at DESC, name OFFSET $2
       )`,
      [accountId, max],
    );
  }
}
