import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { Sweep } from '../../shared/sweep';
import type { PgWebhookQueue } from './pg-webhook-queue';

const removedAtOnce = 1000;

/** Removes old deliveries, and counts endpoints for metrics. */
export class WebhookUpkeep extends Sweep {
  state = { oldestSeconds: 0, failing: 0, disabled: 0 };

  constructor(
    private readonly queue: PgWebhookQueue,
    log: Log,
    jobs: BackgroundJobs,
  ) {
    super((error) => log.warn(`the upkeep of webhooks failed, will be retried: ${(error as Error).message}`), jobs);
  }

  protected async work(): Promise<void> {
    await this.inBatches(async () => !(await this.queue.purge(removedAtOnce)));
    this.state = await this.queue.state();
  }
}
