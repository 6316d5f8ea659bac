import { Injectable } from '@nestjs/common';
import { ProbeLimits } from '../../platform/outbound/probe-limits';
import { DatabaseClock } from '../../shared/database-clock';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import type { Precondition } from '../../shared/precondition';
import { InvalidInput } from '../../shared/problem';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../accounts/account.errors';
import { AccountRepository } from '../accounts/account.repository';
import type { Caller } from '../accounts/caller';
import { PgOwnProjectRepository } from '../accounts/pg-own-project.repository';
import { SecretSeal } from '../api-keys/secret-seal';
import { PgJournalRepository } from '../journal/pg-journal.repository';
import { type AttemptResult, attemptWithoutAnswer } from './delivery';
import { TypeormWebhookRepository } from './typeorm-webhook.repository';
import { maxWebhooks, type Webhook, type WebhookChanges, type WebhookValues, withDefaults } from './webhook';
import { testEventOf } from './webhook-event';
import { mintWebhookSecret } from './webhook-secret';
import { WebhookSender } from './webhook-sender';
import { WebhookSettings } from './webhook-settings';

/** Hours in which the former secret signs too. */
const overlapHours = 24;

/** An endpoint with its secret, which only the response to its creation or rotation contains. */
export type RevealedWebhook = Webhook & { secret: string };

/** Implements the management of webhook endpoints. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: TypeormWebhookRepository,
    private readonly accounts: AccountRepository,
    private readonly projects: PgOwnProjectRepository,
    private readonly journal: PgJournalRepository,
    private readonly seal: SecretSeal,
    private readonly sender: WebhookSender,
    private readonly limits: ProbeLimits,
    private readonly settings: WebhookSettings,
    private readonly clock: DatabaseClock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(accountId: string, request: { page: number; limit: number }): Promise<Page<Webhook>> {
    return this.webhooks.list(accountId, request);
  }

  /** @throws NotFound */
  async get(accountId: string, id: string): Promise<Webhook> {
    return requireFound(await this.webhooks.find(accountId, id), 'Webhook');
  }

  /** @throws InvalidInput, NotFound, CrossScope, LimitReached */
  async create({ accountId, plan }: Caller, values: WebhookValues): Promise<RevealedWebhook> {
    await this.#requireValid(accountId, values);
    // Earlier changes are no events of the endpoint.
    await this.journal.seal();
    const id = newId();
    const secret = mintWebhookSecret();
    return this.unitOfWork.run(async () => {
      await this.accounts.lock(accountId);
      const used = await this.webhooks.count(accountId);
      if (used >= maxWebhooks) throw new LimitReached('webhooks', { limit: maxWebhooks, used, plan });
      const webhook = { ...withDefaults(values), id, accountId };
      return { ...(await this.webhooks.insert(webhook, this.seal.seal(secret, id))), secret };
    });
  }

  /** @throws NotFound, InvalidInput, CrossScope, and what the precondition throws */
  async update(
    accountId: string,
    id: string,
    changes: WebhookChanges,
    precondition?: Precondition<Webhook>,
  ): Promise<Webhook> {
    await this.#requireValid(accountId, changes);
    return this.#changing(accountId, id, precondition, async ({ updatedAt }) => {
      const updated = requireFound(await this.webhooks.update(accountId, id, changes), 'Webhook');
      // The change may have repaired the endpoint.
      if (updated.updatedAt > updatedAt) await this.webhooks.attemptNow(id);
      return updated;
    });
  }

  /** @throws NotFound, and what the precondition throws */
  delete(accountId: string, id: string, precondition?: Precondition<Webhook>): Promise<void> {
    return this.#changing(accountId, id, precondition, () => this.webhooks.delete(accountId, id));
  }

  /**
   * Creates another secret. The former one signs too for a day.
   * @throws NotFound
   */
  rotate(accountId: string, id: string): Promise<RevealedWebhook> {
    const secret = mintWebhookSecret();
    return this.#changing(accountId, id, undefined, async (webhook) => {
      const formerSecret = await this.webhooks.findSecret(accountId, id);
      const formerUntil = new Date((await this.clock.now()) + overlapHours * 3_600_000);
      await this.webhooks.replaceSecrets(id, { sealedSecret: this.seal.seal(secret, id), formerSecret, formerUntil });
      await this.webhooks.attemptNow(id);
      await this.journal.addEvent(accountId, null, 'webhook.secret_rotated', {}, id);
      return { ...webhook, secret };
    });
  }

  /**
   * Sends an event `webhook.test` now, also if the endpoint is disabled, and returns the answer. The journal has no entry of it.
   * @throws NotFound, TooManyProbes
   */
  async test(accountId: string, id: string): Promise<AttemptResult> {
    const { url } = await this.get(accountId, id);
    const sealed = requireFound(await this.webhooks.findSecret(accountId, id), 'Webhook');
    const secret = this.seal.open(sealed, id);
    const event = testEventOf(newId(), new Date(await this.clock.now()), accountId, id);
    if (secret === null) return attemptWithoutAnswer('secret_unreadable');
    return this.limits.run(accountId, async () => {
      const { signal } = new AbortController();
      const result = await this.sender.connected(1, signal, (send) =>
        send({ url, secrets: [secret] }, `${id}_${event.id}`, event),
      );
      return result!;
    });
  }

  #changing<T>(
    accountId: string,
    id: string,
    precondition: Precondition<Webhook> | undefined,
    change: (webhook: Webhook) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(async () => {
      await this.accounts.lock(accountId);
      const webhook = await this.get(accountId, id);
      precondition?.(webhook);
      return change(webhook);
    });
  }

  async #requireValid(accountId: string, { url, projectId }: WebhookChanges): Promise<void> {
    const problem = url === undefined ? null : urlProblem(url, this.settings);
    if (problem !== null) throw InvalidInput.because([{ code: 'invalid_format', path: ['url'], message: problem }]);
    await this.projects.requireOwn(accountId, projectId ? [projectId] : []);
  }
}

/** Returns why events cannot be sent to a URL; null if they can. */
function urlProblem(url: string, { allowPrivateAddresses }: WebhookSettings): string | null {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !allowPrivateAddresses) return 'url must have the scheme https';
  // `OutboundConnection` reaches names only.
  return /^\[|^[0-9.]+$/.test(hostname) ? 'url must have a host name in place of an address' : null;
}
