import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { CheckOutcome, CheckState } from './check-state';

/** A domain that this process checks. */
export interface AssociationCheck extends CheckState {
  domainId: string;
  projectId: string;
  hostname: string;
  /** Until then, no other process checks it. */
  until: Date;
}

/** Stores checks of association files. Times are those of the database. */
@Injectable()
export class PgAssociationCheckRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Takes up to `max` verified domains that are due, of projects with apps in which a webhook selects the event. */
  takeDue(lockMs: number, max: number): Promise<AssociationCheck[]> {
    return this.context.write<AssociationCheck & Record<string, unknown>>(
      `WITH taken AS (
         INSERT INTO association_checks AS stored (domain_id, next_check_at)
         SELECT domain.id, now() + $1 * interval '1 millisecond'
         FROM custom_domains AS domain LEFT JOIN association_checks AS last ON last.domain_id = domain.id
         WHERE domain.project_id = ANY (selecting_projects('domain.association_failed')) AND domain.verified_at IS NOT NULL
           AND coalesce(last.next_check_at <= now(), true)
           AND (EXISTS (SELECT FROM ios_apps WHERE project_id = domain.project_id)
             OR EXISTS (SELECT FROM android_apps WHERE project_id = domain.project_id))
         ORDER BY last.next_check_at NULLS FIRST, domain.id LIMIT $2
         ON CONFLICT (domain_id) DO UPDATE SET next_check_at = excluded.next_check_at WHERE stored.next_check_at <= now()
         RETURNING *
       )
       SELECT domain.id AS "domainId", domain.project_id AS "projectId", domain.hostname, taken.next_check_at AS until, taken.failures,
         taken.is_failing AS "isFailing"
       FROM taken JOIN custom_domains AS domain ON domain.id = taken.domain_id`,
      [lockMs, max],
    );
  }

  /** Stores the outcome of a check with its event. Returns false, and changes nothing, if another process has taken the domain. */
  store({ domainId, projectId, until }: AssociationCheck, outcome: CheckOutcome, details: object): Promise<boolean> {
    const { pauseMs, failures, isFailing, event } = outcome;
    return this.context.runAs({ kind: 'service' }, async () => {
      const stored = await this.context.write(
        `UPDATE association_checks SET next_check_at = now() + $3 * interval '1 millisecond', failures = $4, is_failing = $5
         WHERE domain_id = $1 AND next_check_at = $2 RETURNING domain_id`,
        [domainId, until, pauseMs, failures, isFailing],
      );
      if (stored.length === 1 && event !== null)
        await this.context.write(
          'SELECT journal_event(account_id, id, $2, $3, $4) FROM projects WHERE id = $1 AND deleted_at IS NULL',
          [projectId, event, domainId, details],
        );
      return stored.length === 1;
    });
  }
}
