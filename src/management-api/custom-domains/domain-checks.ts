import type { Clock } from '../../shared/clock';
import { recordOf } from './custom-domain';
import type { CustomDomainRepository, DueDomain } from './custom-domain.repository';
import { type CheckResult, resultOf } from './domain-check';
import type { DomainRecords } from './domain-records';
import type { DomainSettings } from './domain-settings';

/** Domains looked for at once. */
const batchSize = 20;

/** Milliseconds until a domain can be taken by others again whose look was cut short: far more than a look takes. */
const lockMs = 5 * 60_000;

/** Milliseconds between two sweeps. */
const sweepIntervalMs = 60_000;

interface Reports {
  /** The record of a domain is missing since this look, or the domain was lost for that. */
  onMissing: (domain: DueDomain, result: 'missing' | 'lost') => void;
  onError: (error: unknown) => void;
}

/**
 * Looks again and again whether the records of proved domains stand. Every process sweeps; what one has taken the others leave
 * alone, and what a crash cut short is taken again when its lease is over.
 */
export class DomainChecks {
  readonly counts: Record<CheckResult, number> = { found: 0, missing: 0, lost: 0, unanswered: 0 };
  /** Proved domains without their record, as of the last sweep. */
  missing = 0;
  #stopped = false;
  #sweeping: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly domains: CustomDomainRepository,
    private readonly records: DomainRecords,
    private readonly clock: Clock,
    private readonly settings: DomainSettings,
    private readonly reports: Reports,
  ) {
    this.#timer = setInterval(() => void this.sweep(), sweepIntervalMs).unref();
  }

  /** Looks for every record that is due, and ends holds that are over. */
  sweep(): Promise<void> {
    return (this.#sweeping ??= this.#sweep()
      .catch(this.reports.onError)
      .finally(() => (this.#sweeping = undefined)));
  }

  /** The batch in hand is finished, no other is begun. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    for (let left = true; left && !this.#stopped;) {
      const now = this.clock.now();
      const due = await this.domains.takeDue(new Date(now), new Date(now + lockMs), batchSize);
      await Promise.all(due.map((domain) => this.#check(domain)));
      left = due.length === batchSize;
    }
    await this.domains.releaseHeld(new Date(this.clock.now() - this.settings.holdTime));
    this.missing = await this.domains.countMissing();
  }

  async #check(domain: DueDomain): Promise<void> {
    const { name } = recordOf(domain);
    const texts = await this.records.textsOf(name);
    const { result, ...checked } = resultOf(domain, texts, this.clock.now(), this.settings);
    if (!(await this.domains.note(domain, checked))) return;
    this.counts[result]++;
    const isNews = result === 'lost' || (result === 'missing' && domain.recordMissingSince === null);
    if (isNews) this.reports.onMissing(domain, result);
  }
}
