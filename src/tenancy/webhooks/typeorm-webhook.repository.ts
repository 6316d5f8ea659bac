import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import type { Page } from '../../shared/page';
import type { Webhook, WebhookChanges, WebhookSecrets } from './webhook';
import { type WebhookRow, WebhookSchema } from './webhook.schema';

export type NewWebhook = Omit<Webhook, 'createdAt' | 'updatedAt' | 'disabledAt' | 'failingSince'>;

@Injectable()
export class TypeormWebhookRepository {
  readonly #webhooks: EntityRows<WebhookRow>;

  constructor(private readonly context: TransactionContext) {
    this.#webhooks = new EntityRows(context, WebhookSchema);
  }

  /** Stores the endpoint. Its first event is the one after the last entry of the journal. */
  async insert(webhook: NewWebhook, sealedSecret: Buffer): Promise<Webhook> {
    await this.#webhooks.insert({ ...webhook, sealedSecret });
    await this.context.write(
      `INSERT INTO webhook_positions (endpoint_id, sequence)
       VALUES ($1, coalesce((SELECT sequence FROM journal_heads WHERE account_id = $2), 0))`,
      [webhook.id, webhook.accountId],
    );
    return (await this.find(webhook.accountId, webhook.id))!;
  }

  list(accountId: string, request: { page: number; limit: number }): Promise<Page<Webhook>> {
    return this.#webhooks.newest({ accountId }, request);
  }

  find(accountId: string, id: string): Promise<Webhook | null> {
    return this.#webhooks.find({ accountId, id });
  }

  count(accountId: string): Promise<number> {
    return this.#webhooks.repository.countBy({ accountId });
  }

  /** Returns the encrypted secret. */
  async findSecret(accountId: string, id: string): Promise<Buffer | null> {
    const row = await this.#webhooks.repository.findOne({
      where: { accountId, id },
      select: { id: true, sealedSecret: true },
    });
    return row?.sealedSecret ?? null;
  }

  /** Changes the named fields only. Returns null if the account has no such endpoint. */
  async update(accountId: string, id: string, changes: WebhookChanges): Promise<Webhook | null> {
    const enabling = changes.enabled === true ? { disabledAt: null, failingSince: null } : {};
    return this.#webhooks.update({ accountId, id }, { ...changes, ...enabling });
  }

  async attemptNow(id: string): Promise<void> {
    await this.context.write(
      'UPDATE webhook_positions SET failures = 0, next_attempt_at = now() WHERE endpoint_id = $1',
      [id],
    );
  }

  async replaceSecrets(id: string, secrets: WebhookSecrets): Promise<void> {
    await this.#webhooks.repository.update({ id }, secrets);
  }

  async delete(accountId: string, id: string): Promise<void> {
    await this.#webhooks.delete({ accountId, id });
  }
}
