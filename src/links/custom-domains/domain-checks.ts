import type { Log } from '../../platform/observability/log';
import type { DatabaseClock } from '../../shared/database-clock';
import { Sweep } from '../../shared/sweep';
import type { CheckResult, CustomDomain } from './custom-domain';
import type { PgDomainCheckRepository } from './pg-domain-check.repository';
import type { DomainRecords } from './domain-records';
import type { DomainSettings } from './domain-settings';

const batchSize = 20;

/** How long a taken domain is reserved for its process: far longer than a check takes. */
const lockMs = 5 * 60_000;

const warnings = {
  missing: 'the record of a custom domain is missing',
  lost: 'a custom domain lost its verification: its record has been missing for too long',
};

/**
 * Checks periodically that the records of verified domains still exist. Every process sweeps, and takes due domains for itself.
 * Domains that a crashed process had taken are due again after `lockMs`.
 */
export class DomainChecks extends Sweep {
  readonly counts: Record<CheckResult, number> = { found: 0, missing: 0, lost: 0, unanswered: 0 };
  /** Verified domains whose record was missing at the last sweep. */
  missing = 0;

  constructor(
    private readonly domains: PgDomainCheckRepository,
    private readonly records: DomainRecords,
    private readonly clock: DatabaseClock,
    private readonly settings: DomainSettings,
    private readonly log: Log,
  ) {
    super((error) => log.warn(`custom domains are checked later: ${(error as Error).message}`));
  }

  /** Checks all due domains, and releases expired reservations. */
  protected async work(): Promise<void> {
    await this.inBatches(async () => {
      const due = await this.domains.takeDue(lockMs, batchSize);
      await Promise.all(due.map((domain) => this.#check(domain)));
      return due.length < batchSize;
    });
    await this.domains.releaseHeld(this.settings.holdTimeMs);
    this.missing = await this.domains.countMissing();
  }

  async #check(domain: CustomDomain): Promise<void> {
    const texts = await this.records.textsOf(domain.record.name);
    const { result, changes } = domain.afterCheck(texts, new Date(await this.clock.now()), this.settings);
    if (!(await this.domains.updateTaken(domain, changes))) return;
    this.counts[result]++;
    if (result === 'lost' || (result === 'missing' && domain.recordMissingSince === null))
      this.log.logger.warn({ hostname: domain.hostname, project_id: domain.projectId }, warnings[result]);
  }
}
