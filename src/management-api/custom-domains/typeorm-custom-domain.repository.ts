import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { withDeadline } from '../../platform/postgres/deadline';
import { type ListOf, Rows } from '../../platform/postgres/rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { CustomDomain, type NewCustomDomain } from './custom-domain';
import { DomainExists, DomainNotVerified, DomainTaken } from './custom-domain.errors';
import { type CheckedDomain, CustomDomainRepository, type DueDomain } from './custom-domain.repository';
import { CustomDomainSchema } from './custom-domain.schema';

/** Milliseconds for writing down a proof: looking for it may have taken most of what the request had. */
const proofDeadline = 1200;

const domains: ListOf<'created_at'> = { owner: 'project_id', sortColumns: { created_at: 'created_at' } };

const one = 't.project_id = $1 AND t.id = $2';

@Injectable()
export class TypeormCustomDomainRepository extends CustomDomainRepository {
  readonly #rows: Rows<CustomDomain>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#rows = new Rows(context, CustomDomainSchema);
  }

  async lockProject(projectId: string): Promise<void> {
    const locked = await this.context.read(
      'SELECT FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [projectId],
    );
    if (locked.length === 0) throw new NotFound('Project');
  }

  async count(projectId: string): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      'SELECT count(*) AS count FROM custom_domains WHERE project_id = $1',
      [projectId],
    );
    return Number(row!.count);
  }

  async insert(fields: NewCustomDomain): Promise<CustomDomain> {
    const domain = Object.assign(new CustomDomain(), { ...unproved, ...fields });
    const refusals = {
      custom_domains_hostname_in_project_unique: () => new DomainExists(fields.hostname),
      custom_domains_project_fk: () => new NotFound('Project'),
    };
    await mapConstraintErrors(refusals, () => this.context.manager.getRepository(CustomDomainSchema).insert(domain));
    return domain;
  }

  find(projectId: string, id: string): Promise<CustomDomain | null> {
    return this.#rows.find(one, [projectId, id]);
  }

  findForUpdate(projectId: string, id: string): Promise<CustomDomain | null> {
    return this.#rows.findForUpdate(one, [projectId, id]);
  }

  list(projectId: string, request: { page: number; limit: number }): Promise<Page<CustomDomain>> {
    return this.#rows.page(domains, projectId, { ...request, sortBy: 'created_at', sortOrder: 'desc' });
  }

  prove(
    { id, projectId, hostname }: CustomDomain,
    { now, nextCheckAt, missingBefore, heldSince, texts }: Parameters<CustomDomainRepository['prove']>[1],
  ): Promise<CustomDomain | null> {
    const prove = async (): Promise<CustomDomain | null> => {
      await this.context.manager.query(
        `UPDATE custom_domains SET verified_at = NULL, active = false, next_check_at = NULL, updated_at = now()
         WHERE hostname = $1 AND id <> $2 AND verified_at IS NOT NULL AND record_missing_since <= $3
           AND NOT challenge = ANY($4)`,
        [hostname, id, missingBefore, texts],
      );
      await this.context.manager.query(
        `UPDATE custom_domains
         SET verified_at = coalesce(verified_at, $3), checked_at = $3, record_missing_since = NULL, next_check_at = $4,
             updated_at = CASE WHEN verified_at IS NULL THEN now() ELSE updated_at END
         WHERE project_id = $1 AND id = $2`,
        [projectId, id, now, nextCheckAt],
      );
      // After the wait for who has it, which may be for the deletion that leaves the hold.
      const holds = await this.context.read(
        `SELECT FROM held_domains WHERE hostname = $1 AND challenge = ANY($2) AND left_at > $3
           AND account_id <> (SELECT account_id FROM projects WHERE id = $4)`,
        [hostname, texts, heldSince, projectId],
      );
      if (holds.length > 0) throw DomainTaken.byHold(hostname);
      const proved = await this.find(projectId, id);
      if (proved) await this.context.manager.query('DELETE FROM held_domains WHERE hostname = $1', [hostname]);
      return proved;
    };
    const refusals = { custom_domains_verified_unique: () => DomainTaken.byProject(hostname) };
    return withDeadline(proofDeadline, () => mapConstraintErrors(refusals, () => this.context.run(prove)));
  }

  async setActive(projectId: string, id: string, active: boolean): Promise<CustomDomain | null> {
    const domain = await this.find(projectId, id);
    if (!domain || domain.active === active) return domain;
    const write = (state: boolean, condition: string) =>
      this.context.manager.query(
        `UPDATE custom_domains SET active = ${state}, updated_at = now() WHERE project_id = $1 AND id ${condition} $2 AND active = ${!state}`,
        [projectId, id],
      );
    const refusals = { custom_domains_only_verified_active: () => DomainNotVerified.before(domain.hostname) };
    await mapConstraintErrors(refusals, async () => {
      if (active) await write(false, '<>');
      await write(active, '=');
    });
    return this.find(projectId, id);
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const { affected } = await this.context.manager.getRepository(CustomDomainSchema).delete({ projectId, id });
    return affected === 1;
  }

  async takeDue(now: Date, until: Date, most: number): Promise<DueDomain[]> {
    const [rows] = await this.context.manager.query<[DueDomain[], number]>(
      `UPDATE custom_domains SET next_check_at = $2 WHERE id IN (
         SELECT id FROM custom_domains WHERE next_check_at <= $1 ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, project_id AS "projectId", hostname, challenge, record_missing_since AS "recordMissingSince",
                 next_check_at AS "takenUntil"`,
      [now, until, most],
    );
    return rows;
  }

  async note({ id, takenUntil }: DueDomain, { checked, nextCheckAt }: CheckedDomain): Promise<boolean> {
    const [, noted] = await this.context.manager.query<[unknown, number]>(
      `UPDATE custom_domains
       SET checked_at = coalesce($3, checked_at),
           record_missing_since = CASE WHEN $3::timestamptz IS NULL THEN record_missing_since ELSE $4 END,
           next_check_at = $5,
           verified_at = CASE WHEN $5::timestamptz IS NULL THEN NULL ELSE verified_at END,
           active = active AND $5::timestamptz IS NOT NULL,
           updated_at = CASE WHEN $5::timestamptz IS NULL THEN now() ELSE updated_at END
       WHERE id = $1 AND next_check_at = $2`,
      [id, takenUntil, checked?.at ?? null, checked?.recordMissingSince ?? null, nextCheckAt],
    );
    return noted === 1;
  }

  async releaseHeld(deletedUntil: Date): Promise<void> {
    await this.context.manager.query('DELETE FROM held_domains WHERE left_at <= $1', [deletedUntil]);
  }

  async countMissing(): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      'SELECT count(*) AS count FROM custom_domains WHERE verified_at IS NOT NULL AND record_missing_since IS NOT NULL',
    );
    return Number(row!.count);
  }
}

const unproved = { active: false, verifiedAt: null, checkedAt: null, recordMissingSince: null };
