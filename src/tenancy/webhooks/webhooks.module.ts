import { Inject, Module } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { Metrics } from '../../platform/observability/metrics';
import { MetricsModule } from '../../platform/observability/metrics.module';
import { HostAddresses } from '../../platform/outbound/host-addresses';
import { OutboundModule } from '../../platform/outbound/outbound.module';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { BackgroundJobs } from '../../shared/background-jobs';
import { Clock } from '../../shared/clock';
import { provideClass } from '../../shared/provide';
import { AccountsModule } from '../accounts/accounts.module';
import { Pepper } from '../api-keys/pepper';
import { SecretSeal } from '../api-keys/secret-seal';
import { IdempotencyModule } from '../idempotency/idempotency.module';
import { JournalModule } from '../journal/journal.module';
import { PgJournalRepository } from '../journal/pg-journal.repository';
import { PgWebhookDeliveries } from './pg-webhook-deliveries';
import { PgWebhookEvents } from './pg-webhook-events';
import { PgWebhookQueue } from './pg-webhook-queue';
import { TypeormWebhookRepository } from './typeorm-webhook.repository';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookSender } from './webhook-sender';
import { WebhookSettings } from './webhook-settings';
import { WebhookUpkeep } from './webhook-upkeep';
import { WebhookWorker } from './webhook-worker';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

@Module({
  imports: [DatabaseModule, AccountsModule, IdempotencyModule, JournalModule, MetricsModule, OutboundModule],
  controllers: [WebhooksController, WebhookDeliveriesController],
  providers: [
    WebhooksService,
    WebhookDeliveriesService,
    TypeormWebhookRepository,
    PgWebhookDeliveries,
    PgWebhookEvents,
    PgWebhookQueue,
    provideClass(SecretSeal, [Pepper]),
    provideClass(WebhookSender, [HostAddresses, WebhookSettings, Clock]),
    provideClass(WebhookWorker, [
      PgWebhookQueue,
      PgWebhookEvents,
      PgJournalRepository,
      WebhookSender,
      Log,
      BackgroundJobs,
    ]),
    provideClass(WebhookUpkeep, [PgWebhookQueue, Log, BackgroundJobs]),
  ],
  exports: [PgWebhookEvents],
})
export class WebhooksModule {
  constructor(worker: WebhookWorker, upkeep: WebhookUpkeep, @Inject(Metrics) metrics: Metrics | null) {
    metrics?.watch({
      signpost_webhook_attempts_total: () => worker.counts,
      signpost_webhook_oldest_event_seconds: () => upkeep.state.oldestSeconds,
      signpost_webhook_endpoints: () => ({ failing: upkeep.state.failing, disabled: upkeep.state.disabled }),
    });
  }
}
