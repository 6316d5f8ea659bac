import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { JournalSettings } from './journal-settings';
import type { PgJournalRepository } from './pg-journal.repository';

/** Adds committed entries to the journal each half minute, and drops old months. Readers add them before they read. */
export class JournalUpkeep extends Sweep {
  constructor(
    private readonly journal: PgJournalRepository,
    private readonly settings: JournalSettings,
    private readonly log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`the upkeep of the journal failed, will be retried: ${(error as Error).message}`), jobs);
  }

  protected async work(): Promise<void> {
    await this.journal.seal();
    const dropped = await this.journal.dropMonths(this.settings.retentionMonths);
    if (dropped.length > 0) this.log.warn(`dropped old months of the journal: ${dropped.join(', ')}`);
  }
}
