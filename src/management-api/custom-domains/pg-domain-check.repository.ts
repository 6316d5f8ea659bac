import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { withDeadline } from '../../platform/postgres/deadline';
import { timeLimits } from '../../platform/postgres/time-limits';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { DatabaseClock } from '../../shared/database-clock';
import type { CustomDomain, CustomDomainChanges } from './custom-domain';
import { DomainTaken } from './custom-domain.errors';
import { CustomDomainRepository } from './custom-domain.repository';
import { DomainCheckRepository } from './domain-check.repository';

@Injectable()
export class PgDomainCheckRepository extends DomainCheckRepository {
  constructor(
    private readonly context: TransactionContext,
    private readonly domains: CustomDomainRepository,
    private readonly clock: DatabaseClock,
  ) {
    super();
  }

  markVerified(
    { id, projectId, hostname }: CustomDomain,
    texts: string[],
    { recheckIntervalMs, graceMs, holdTimeMs }: Parameters<DomainCheckRepository['markVerified']>[2],
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
      const changes = current?.verified(new Date(now), new Date(now + recheckIntervalMs));
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

  async takeDue(lockMs: number, max: number): Promise<CustomDomain[]> {
    const taken = await this.context.write<{ id: string; projectId: string; until: Date }>(
      `UPDATE custom_domains SET next_check_at = now() + $1 * interval '1 millisecond' WHERE id IN (
         SELECT id FROM custom_domains WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, project_id AS "projectId", next_check_at AS until`,
      [lockMs, max],
    );
    const domains = await Promise.all(taken.map(({ projectId, id }) => this.domains.find(projectId, id)));
    return domains.filter((domain) => isTakenUntil(domain, taken[0]!.until));
  }

  updateTaken({ projectId, id, nextCheckAt }: CustomDomain, changes: CustomDomainChanges): Promise<boolean> {
    return this.context.run(async () => {
      const isTaken = isTakenUntil(await this.domains.findForUpdate(projectId, id), nextCheckAt!);
      if (isTaken) await this.domains.update(projectId, id, changes);
      return isTaken;
    });
  }

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

/** Returns whether no other process has taken the domain, and no request has verified it. */
const isTakenUntil = (domain: CustomDomain | null, until: Date): domain is CustomDomain =>
  domain?.nextCheckAt?.getTime() === until.getTime();
