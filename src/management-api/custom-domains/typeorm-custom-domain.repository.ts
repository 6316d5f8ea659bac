import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { withDeadline } from '../../platform/postgres/deadline';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { timeLimits } from '../../platform/postgres/time-limits';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DatabaseClock } from '../../shared/database-clock';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { lockProject } from '../projects/pg-project-lock';
import type { CustomDomain, CustomDomainChanges, NewCustomDomain } from './custom-domain';
import { DomainExists, DomainTaken } from './custom-domain.errors';
import { CustomDomainRepository } from './custom-domain.repository';
import { CustomDomainSchema } from './custom-domain.schema';

const domains: ListDefinition<'created_at'> = { owner: 'project_id', sortColumns: { created_at: 'created_at' } };

@Injectable()
export class TypeormCustomDomainRepository extends CustomDomainRepository {
  readonly #domains: OwnedRows<CustomDomain, 'created_at'>;

  constructor(
    private readonly context: TransactionContext,
    private readonly clock: DatabaseClock,
  ) {
    super();
    this.#domains = new OwnedRows(context, CustomDomainSchema, domains);
  }

  lockProject(projectId: string): Promise<void> {
    return lockProject(this.context, projectId);
  }

  async count(projectId: string): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      'SELECT count(*) AS count FROM custom_domains WHERE project_id = $1',
      [projectId],
    );
    return Number(row!.count);
  }

  insert(domain: NewCustomDomain): Promise<CustomDomain> {
    const errors = {
      custom_domains_hostname_in_project_unique: () => new DomainExists(domain.hostname),
      custom_domains_project_fk: () => new NotFound('Project'),
    };
    return mapConstraintErrors(errors, () => this.#domains.insert(domain));
  }

  find(projectId: string, id: string): Promise<CustomDomain | null> {
    return this.#domains.find(projectId, id);
  }

  findForUpdate(projectId: string, id: string): Promise<CustomDomain | null> {
    return this.#domains.findForUpdate(projectId, id);
  }

  list(projectId: string, request: { page: number; limit: number }): Promise<Page<CustomDomain>> {
    return this.#domains.page(projectId, { ...request, sortBy: 'created_at', sortOrder: 'desc' });
  }

  markVerified(
    { id, projectId, hostname }: CustomDomain,
    texts: string[],
    { recheckIntervalMs, graceMs, holdTimeMs }: Parameters<CustomDomainRepository['markVerified']>[2],
  ): Promise<CustomDomain | null> {
    const verify = async (): Promise<CustomDomain | null> => {
      await this.context.manager.query(
        `UPDATE custom_domains SET verified_at = NULL, active = false, open_host = false, next_check_at = NULL, updated_at = now()
         WHERE hostname = $1 AND id <> $2 AND verified_at IS NOT NULL
           AND record_missing_since <= now() - $3 * interval '1 millisecond' AND NOT challenge = ANY($4)`,
        [hostname, id, graceMs, texts],
      );
      const current = await this.findForUpdate(projectId, id);
      const now = await this.clock.now();
      const changes = current?.verified(new Date(now), new Date(now + recheckIntervalMs));
      const verified = changes && (await this.update(projectId, id, changes));
      if (!verified) return null;
      // Read after the update, which may have waited for the deletion that reserves the host name.
      const holds = await this.context.read(
        `SELECT FROM held_domains WHERE hostname = $1 AND challenge = ANY($2) AND left_at > now() - $3 * interval '1 millisecond'
           AND account_id <> (SELECT account_id FROM projects WHERE id = $4)`,
        [hostname, texts, holdTimeMs, projectId],
      );
      if (holds.length > 0) throw DomainTaken.byHold(hostname);
      await this.context.manager.query('DELETE FROM held_domains WHERE hostname = $1', [hostname]);
      return verified;
    };
    const errors = { custom_domains_verified_unique: () => DomainTaken.byProject(hostname) };
    return withDeadline(timeLimits.afterDns, () => mapConstraintErrors(errors, () => this.context.run(verify)));
  }

  update(projectId: string, id: string, changes: CustomDomainChanges): Promise<CustomDomain | null> {
    return this.#domains.update(projectId, id, withUpdateTime(changes));
  }

  async endUse(projectId: string, use: 'active' | 'openHost'): Promise<void> {
    await this.#domains.table.update({ projectId, [use]: true }, { [use]: false });
  }

  delete(projectId: string, id: string): Promise<boolean> {
    return this.#domains.delete(projectId, id);
  }

  async takeDue(lockMs: number, max: number): Promise<CustomDomain[]> {
    const [taken] = await this.context.manager.query<[{ id: string; until: Date }[], number]>(
      `UPDATE custom_domains SET next_check_at = now() + $1 * interval '1 millisecond' WHERE id IN (
         SELECT id FROM custom_domains WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, next_check_at AS until`,
      [lockMs, max],
    );
    if (taken.length === 0) return [];
    const ids = taken.map(({ id }) => id);
    return this.#domains.findAll('t.id = ANY($1) AND t.next_check_at = $2', [ids, taken[0]!.until]);
  }

  async updateTaken({ id, nextCheckAt }: CustomDomain, changes: CustomDomainChanges): Promise<boolean> {
    const { affected } = await this.#domains.table.update({ id, nextCheckAt: nextCheckAt! }, withUpdateTime(changes));
    return affected === 1;
  }

  async releaseHeld(holdTimeMs: number): Promise<void> {
    await this.context.manager.query(
      `DELETE FROM held_domains WHERE left_at <= now() - $1 * interval '1 millisecond'`,
      [holdTimeMs],
    );
  }

  async countMissing(): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      'SELECT count(*) AS count FROM custom_domains WHERE verified_at IS NOT NULL AND record_missing_since IS NOT NULL',
    );
    return Number(row!.count);
  }
}

/** Checks do not count as updates: only a change of the status moves `updated_at`. */
const withUpdateTime = (changes: CustomDomainChanges): object =>
  'active' in changes || 'openHost' in changes || 'verifiedAt' in changes
    ? changes
    : { ...changes, updatedAt: () => 'updated_at' };
