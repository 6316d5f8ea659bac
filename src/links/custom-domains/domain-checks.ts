import type { Log } from '../../platform/observability/log';
import type { DatabaseClock } from '../../shared/database-clock';
import { ParallelShutdown } from '../../shared/parallel-shutdown';
import type { CheckResult, CustomDomain } from './custom-domain';
import type { PgDomainCheckRepository } from './pg-domain-check.repository';
import type { DomainRecords } from './domain-records';
import type { DomainSettings } from './domain-settings';

const batchSize = 20;

/** How long a taken domain is reserved for its process: far longer than a check takes. */
const lockMs = 5 * 60_000;

const sweepIntervalMs = 60_000;

const warnings = {
  missing: 'the record of a custom domain is missing',
  lost: 'a custom domain lost its verification: its record has been missing for too long',
};

/**
 * Checks periodically that the records of verified domains still exist. Every process sweeps, and takes due domains for itself.
 * Domains that a crashed process had taken are due again after `lockMs`.
 */
export class DomainChecks extends ParallelShutdown {
  readonly counts: Record<CheckResult, number> = { found: 0, missing: 0, lost: 0, unanswered: 0 };
  /** Verified domains whose record was missing at the last sweep. */
  missing = 0;
  #stopped = false;
  #sweeping: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly domains: PgDomainCheckRepository,
    private readonly records: DomainRecords,
    private readonly clock: DatabaseClock,
    private readonly settings: DomainSettings,
    private readonly log: Log,
  ) {
    super();
    this.#timer = setInterval(() => void this.sweep(), sweepIntervalMs).unref();
  }

  /** Checks all due domains, and releases expired reservations. */
  sweep(): Promise<void> {
    return (this.#sweeping ??= this.#sweep()
      .catch((error: unknown) => this.log.warn(`custom domains are checked later: ${(error as Error).message}`))
      .finally(() => (this.#sweeping = undefined)));
  }

  /** Waits for the current batch, and starts no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    for (let left = true; left && !this.#stopped;) {
      const due = await this.domains.takeDue(lockMs, batchSize);
      await Promise.all(due.map((domain) => this.#check(domain)));
      left = due.length === batchSize;
    }
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
