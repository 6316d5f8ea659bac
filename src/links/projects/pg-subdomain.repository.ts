import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { offsetOf, type Page } from '../../shared/page';
import type { Project } from './project';
import type { Subdomain } from './subdomain';

/** A subdomain that a project had before, and on which it still answers. */
export interface FormerSubdomain {
  name: Subdomain;
  leftAt: Date;
}

/** Stores former subdomains. A unique index gives each subdomain one owner. */
@Injectable()
export class PgSubdomainRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Finds the hosts on which the project answers: its subdomain, its former ones, and its verified custom domains. */
  findHosts(id: string): Promise<Pick<Project, 'subdomain' | 'customDomain'>[]> {
    return this.context.read(
      `SELECT name AS subdomain, NULL AS "customDomain" FROM subdomains WHERE project_id = $1
       UNION ALL
       SELECT p.subdomain, d.hostname FROM custom_domains d JOIN projects p ON p.id = d.project_id
       WHERE d.project_id = $1 AND d.verified_at IS NOT NULL`,
      [id],
    );
  }

  /** Returns the project's former subdomains, and locks them until the unit of work ends. */
  async lockFormer(projectId: string): Promise<Subdomain[]> {
    await this.context.read('SELECT FROM projects WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
    const rows = await this.context.read<{ name: Subdomain }>(
      'SELECT name FROM subdomains WHERE project_id = $1 AND left_at IS NOT NULL',
      [projectId],
    );
    return rows.map((row) => row.name);
  }

  /** Lists the project's former subdomains, those that it left last first. */
  async listFormer(projectId: string, request: { page: number; limit: number }): Promise<Page<FormerSubdomain>> {
    // One statement, so that the page and the total are of the same moment. FORMER_SUBDOMAINS_PER_PROJECT bounds the rows.
    const rows = await this.context.read<FormerSubdomain>(
      `SELECT name, left_at AS "leftAt" FROM subdomains WHERE project_id = $1 AND left_at IS NOT NULL
       ORDER BY left_at DESC, name DESC`,
      [projectId],
    );
    const first = offsetOf(request);
    return { items: rows.slice(first, first + request.limit), total: rows.length };
  }

  /** Releases a former subdomain, so that every account can take it. Returns false if the project has no such one. */
  async releaseFormer(projectId: string, name: Subdomain): Promise<boolean> {
    // A concurrent rename to the name or deletion of the project decides by the lock of the row: it then matches no longer.
    const released = await this.context.write(
      'DELETE FROM subdomains WHERE name = $1 AND project_id = $2 AND left_at IS NOT NULL RETURNING name',
      [name, projectId],
    );
    return released.length === 1;
  }

  /** Releases subdomains of projects that were deleted so long ago or earlier: the named one, or all. Returns their number. */
  async release(holdTimeMs: number, name?: Subdomain): Promise<number> {
    const released = await this.context.write(
      `DELETE FROM subdomains WHERE project_id IS NULL AND left_at <= now() - $1 * interval '1 millisecond'
       ${name === undefined ? '' : 'AND name = $2'} RETURNING name`,
      name === undefined ? [holdTimeMs] : [holdTimeMs, name],
    );
    return released.length;
  }

  /** Releases the oldest subdomains of the account's deleted projects until `max` are left. */
  async releaseBeyond(accountId: string, max: number): Promise<void> {
    // A project may claim the name meanwhile. After a wait for its lock, PostgreSQL checks only the outer conditions again.
    await this.context.write(
      `DELETE FROM subdomains WHERE project_id IS NULL AND name IN (
         SELECT name FROM subdomains WHERE account_id = $1 AND project_id IS NULL ORDER BY left_at DESC, name OFFSET $2
       )`,
      [accountId, max],
    );
  }
}
