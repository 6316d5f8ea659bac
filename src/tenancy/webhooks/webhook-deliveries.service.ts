import { Injectable } from '@nestjs/common';
import type { Page } from '../../shared/page';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { PgJournalRepository } from '../journal/pg-journal.repository';
import { type DeliveryRecord, PgWebhookDeliveries } from './pg-webhook-deliveries';
import { PgWebhookEvents } from './pg-webhook-events';
import { TypeormWebhookRepository } from './typeorm-webhook.repository';
import type { WebhookEvent } from './webhook-event';
import { WebhooksService } from './webhooks.service';

/** Implements the log of deliveries, and repetitions. Workers see them within a second. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly positions: TypeormWebhookRepository,
    private readonly deliveries: PgWebhookDeliveries,
    private readonly events: PgWebhookEvents,
    private readonly journal: PgJournalRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws NotFound */
  async list(
    accountId: string,
    webhookId: string,
    query: Parameters<PgWebhookDeliveries['list']>[1],
  ): Promise<Page<DeliveryRecord>> {
    await this.webhooks.get(accountId, webhookId);
    return this.deliveries.list(webhookId, query);
  }

  /** @throws NotFound */
  async get(
    accountId: string,
    webhookId: string,
    id: string,
  ): Promise<{ record: DeliveryRecord; event: WebhookEvent | null }> {
    await this.webhooks.get(accountId, webhookId);
    const record = requireFound(await this.deliveries.find(webhookId, id), 'Delivery');
    const [event = null] = await this.events.find(accountId, [record]);
    return { record, event };
  }

  /** @throws NotFound */
  sendAgain(accountId: string, webhookId: string, id: string): Promise<DeliveryRecord> {
    return this.unitOfWork.run(async () => {
      await this.webhooks.get(accountId, webhookId);
      const record = requireFound(await this.deliveries.sendAgain(webhookId, id), 'Delivery');
      await this.positions.attemptNow(webhookId);
      return record;
    });
  }

  /**
   * @param since milliseconds since 1970
   * @throws NotFound
   */
  async sendAllAgain(accountId: string, webhookId: string, since: number): Promise<void> {
    await this.journal.seal();
    await this.unitOfWork.run(async () => {
      await this.webhooks.get(accountId, webhookId);
      const last = await this.events.lastBefore(accountId, since);
      if (last !== null) await this.deliveries.moveBack(webhookId, last);
      await this.positions.attemptNow(webhookId);
    });
  }
}
