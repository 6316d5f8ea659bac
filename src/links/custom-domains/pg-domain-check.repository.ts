import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { withDeadline } from '../../platform/postgres/request-context';
import { timeLimits } from '../../platform/postgres/time-limits';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DatabaseClock } from '../../shared/database-clock';
import type { DomainSettings } from './domain-settings';
import type { CustomDomain, CustomDomainChanges } from './custom-domain';
import { DomainTaken } from './custom-domain.errors';
import { CustomDomainSchema } from './custom-domain.schema';
import { TypeormCustomDomainRepository, withUpdateTime } from './typeorm-custom-domain.repository';

/** Stores results of checks. It compares times with the clock of the database. */
@Injectable()
export class PgDomainCheckRepository {
  constructor(
    private readonly context: TransactionContext,
    private readonly domains: TypeormCustomDomainRepository,
    private readonly clock: DatabaseClock,
  ) {}

  get #rows(): Repository<CustomDomain> {
    return this.context.manager.getRepository(CustomDomainSchema);
  }

  /**
   * Stores that the domain was verified. The host name belongs to one project: the current one keeps it while its record stands.
   * The current project loses it if its record is missing for `graceMs`, and is not among the `texts` in the DNS.
   * A deleted project of another account keeps it for `holdTimeMs` if its record is among the `texts`.
   * Returns null if the project has no such domain.
   *
   * @throws DomainTaken
   */
  markVerified(
    { id, projectId, hostname }: CustomDomain,
    texts: string[],
    { recheckIntervalMs, graceMs, holdTimeMs }: Pick<DomainSettings, 'recheckIntervalMs' | 'graceMs' | 'holdTimeMs'>,
  ): Promise<CustomDomain | null> {
    const verify = async (): Promise<CustomDomain | null> => {
      await this.context.write(
        `UPDATE custom_domains SET verified_at = NULL, active = false, open_host = false, next_check_at = NULL, updated_at = now()
         WHERE hostname = $1 AND id <> $2 AND verified_at IS NOT NULL
           AND record_missing_since <= now() - $3 * interval '1 millisecond' AND NOT challenge = ANY($4)`,
        [hostname, id, graceMs, texts],
      );
      const current = await this.domains.findForUpdate(projectId, id);
      const now = await this.clock.now();
      const changes = current?.afterVerification(new Date(now), new Date(now + recheckIntervalMs));
      const verified = changes && (await this.domains.update(projectId, id, changes));
      if (!verified) return null;
      // Read after the update, which may have waited for the deletion that reserves the host name.
      const holds = await this.context.read(
        `SELECT FROM held_domains WHERE hostname = $1 AND challenge = ANY($2) AND left_at > now() - $3 * interval '1 millisecond'
           AND account_id <> (SELECT account_id FROM projects WHERE id = $4)`,
        [hostname, texts, holdTimeMs, projectId],
      );
      if (holds.length > 0) throw DomainTaken.byHold(hostname);
      await this.context.write('DELETE FROM held_domains WHERE hostname = $1', [hostname]);
      return verified;
    };
    const errors = { custom_domains_verified_unique: () => DomainTaken.byProject(hostname) };
    return withDeadline(timeLimits.afterDns, () => mapConstraintErrors(errors, () => this.context.run(verify)));
  }

  /** Takes up to `max` verified domains that are due, and moves their next check `lockMs` ahead. */
  async takeDue(lockMs: number, max: number): Promise<CustomDomain[]> {
    const taken = await this.context.write<{ id: string; until: Date }>(
      `UPDATE custom_domains SET next_check_at = now() + $1 * interval '1 millisecond' WHERE id IN (
         SELECT id FROM custom_domains WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, next_check_at AS until`,
      [lockMs, max],
    );
    if (taken.length === 0) return [];
    const ids = taken.map(({ id }) => id);
    return this.#rows.findBy({ id: In(ids), nextCheckAt: taken[0]!.until });
  }

  /** Stores a check of a taken domain. Returns false, and changes nothing, if the domain was taken or verified again meanwhile. */
  async updateTaken(domain: CustomDomain, changes: CustomDomainChanges): Promise<boolean> {
    const { id, nextCheckAt, projectId, hostname } = domain;
    return this.context.runAs({ kind: 'service' }, async () => {
      const { affected } = await this.#rows.update({ id, nextCheckAt: nextCheckAt! }, withUpdateTime(changes));
      if (affected === 1 && changes.verifiedAt === null)
        await this.context.write(
          `SELECT journal_event(account_id, id, 'domain.proof_lost', $2, $3) FROM projects WHERE id = $1 AND deleted_at IS NULL`,
          [projectId, id, { hostname }],
        );
      return affected === 1;
    });
  }

  /** Releases the host names of projects that were deleted so long ago or earlier. */
  async releaseHeld(holdTimeMs: number): Promise<void> {
    await this.context.write(`DELETE FROM held_domains WHERE left_at <= now() - $1 * interval '1 millisecond'`, [
      holdTimeMs,
    ]);
  }

  async countMissing(): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      'SELECT count(*) AS count FROM custom_domains WHERE verified_at IS NOT NULL AND record_missing_since IS NOT NULL',
    );
    return Number(row!.count);
  }
}
