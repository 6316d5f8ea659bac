import { type BrowserEscapes, droppedEscapes } from '../../link-routing/escapes/escape-choice';
import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import { groupedByWay } from './escape-checks';
import type { PgEscapeEventRepository } from './pg-escape-event.repository';

/** Writes events about ways out of in-app browsers that dropped. Every process sweeps, and the database writes each event once. */
export class EscapeWatch extends Sweep {
  constructor(
    private readonly escapes: BrowserEscapes,
    private readonly events: PgEscapeEventRepository,
    log: Pick<Log, 'warn'>,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`events of dropped ways out are written later: ${(error as Error).message}`), jobs);
  }

  protected async work(): Promise<void> {
    const dropped = groupedByWay(droppedEscapes(this.escapes)).map(([first]) => first);
    if (dropped.length > 0) await this.events.add(dropped);
  }
}
