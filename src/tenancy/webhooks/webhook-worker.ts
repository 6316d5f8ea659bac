import type { Log } from '../../platform/observability/log';
import type { BackgroundJobs } from '../../shared/background-jobs';
import { newId } from '../../shared/id';
import { ParallelShutdown } from '../../shared/parallel-shutdown';
import type { PgJournalRepository } from '../journal/pg-journal.repository';
import { type AttemptResult, attemptWithoutAnswer, type Delivery, type LeasedEndpoint } from './delivery';
import { DeliverySlice, deliveryOf, slotsPerEndpoint, unblocked } from './delivery-slice';
import type { PgWebhookEvents } from './pg-webhook-events';
import { LeaseLost, maxWaiting, type PgWebhookQueue } from './pg-webhook-queue';
import { outageAfterFailures } from './retry-schedule';
import { cloudEventOf, eventIdOf, type WebhookEvent } from './webhook-event';
import type { Send, WebhookSender } from './webhook-sender';

/** The wait for new events. Each look is one statement if no event is new. */
const pollIntervalMs = 1000;

/** Leases end after ten seconds. */
const renewIntervalMs = 3000;

/** Endpoints in order, and out of order, that a process serves at a time. The latter have places apart, so that they keep no other waiting. */
const places = [
  { isOutage: false, count: 16 },
  { isOutage: true, count: 8 },
];

const placesPerHost = 2;

/** The longest wait for answers at a stop. Later ones are asked for again. */
const stopTimeoutMs = 5000;

/** Waiting events that a slice sends. */
const sentAtOnce = 100;

/** Sends events to endpoints. Every process works, and leases the endpoints that it serves. */
export class WebhookWorker extends ParallelShutdown {
  readonly counts = { delivered: 0, failed: 0, given_up: 0 };
  readonly #processId = newId();
  readonly #running = new Map<string, { host: string; isOutage: boolean; done: Promise<void> }>();
  readonly #timers: (NodeJS.Timeout | undefined)[];
  #looking: Promise<void> | undefined;
  readonly #interruption = new AbortController();
  #stopped = false;
  /** The reason of the last failure, which is logged once. */
  #fault = '';

  constructor(
    private readonly queue: PgWebhookQueue,
    private readonly events: PgWebhookEvents,
    private readonly journal: Pick<PgJournalRepository, 'seal'>,
    private readonly sender: WebhookSender,
    private readonly log: Log,
    jobs: BackgroundJobs,
  ) {
    super();
    this.#timers = [jobs.every(pollIntervalMs, () => this.look()), jobs.every(renewIntervalMs, () => this.#renew())];
  }

  /** Looks for endpoints with work now. */
  look(): void {
    if (this.#stopped) return;
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => (this.#looking = undefined));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    const timer = setTimeout(() => this.#interruption.abort(), stopTimeoutMs);
    await this.#looking;
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    clearTimeout(timer);
  }

  async #look(): Promise<void> {
    const hasEndpoints = await this.queue.hasEndpoints();
    this.#fault = '';
    if (!hasEndpoints) return;
    await this.journal.seal();
    for (const { isOutage, count } of places)
      while (!this.#stopped && this.#count((one) => one.isOutage === isOutage) < count) {
        const endpoint = await this.queue.lease(this.#processId, isOutage, this.#busyHosts());
        if (!endpoint) break;
        const done = this.#serve(endpoint).finally(() => this.#running.delete(endpoint.id));
        this.#running.set(endpoint.id, { host: new URL(endpoint.url).hostname, isOutage, done });
      }
  }

  #count(matches: (one: { host: string; isOutage: boolean }) => boolean): number {
    return [...this.#running.values()].filter(matches).length;
  }

  #busyHosts(): string[] {
    const hosts = [...this.#running.values()].map(({ host }) => host);
    return [...new Set(hosts)].filter((host) => this.#count((one) => one.host === host) >= placesPerHost);
  }

  async #serve(endpoint: LeasedEndpoint): Promise<void> {
    try {
      const hasMore = await this.#runSlice(endpoint);
      if (hasMore) setImmediate(() => this.look());
    } catch (error) {
      // The lease ends by itself, so a fault is not repeated at once.
      this.#warn(error);
    }
  }

  /** Returns whether more is to be sent at once. */
  async #runSlice(endpoint: LeasedEndpoint): Promise<boolean> {
    const waiting = await this.queue.waiting(endpoint);
    const hasSpace = endpoint.failures < outageAfterFailures && waiting.length < maxWaiting;
    const { events, upTo } = hasSpace
      ? await this.events.after(endpoint, endpoint.sequence, endpoint.head)
      : { events: [], upTo: endpoint.sequence };
    const due = unblocked(waiting);
    const later = due.splice(sentAtOnce);
    for (const one of later) one.isDue = false;
    await this.#readEvents(endpoint, due);
    const known = new Set(waiting.map(eventIdOf));
    const fresh = events.filter((event) => !known.has(eventIdOf(event))).map(deliveryOf);
    const sent = await this.sender.connected(slotsPerEndpoint, this.#interruption.signal, (send) => {
      const attempt = (event: WebhookEvent) => this.#send(endpoint, event, send);
      return new DeliverySlice(endpoint, [...waiting, ...fresh], attempt, () => this.#stopped).run();
    });
    const result = { ...sent, hasMore: sent.hasMore || later.length > 0 };
    const isDisabled = await this.queue.store(this.#processId, endpoint, upTo, result);
    if (isDisabled)
      this.log.logger.warn({ webhook_id: endpoint.id }, 'a webhook endpoint is disabled, because it failed');
    for (const { state, attempted } of result.changes) this.#countAttempt(state, attempted);
    return !isDisabled && (result.hasMore || (upTo > endpoint.sequence && upTo < endpoint.head));
  }

  #countAttempt(state: string, attempted: boolean): void {
    if (attempted) this.counts[state === 'delivered' ? 'delivered' : state === 'failed' ? 'given_up' : 'failed']++;
  }

  async #readEvents({ accountId }: LeasedEndpoint, due: readonly Delivery[]): Promise<void> {
    const read = new Map((await this.events.find(accountId, due)).map((event) => [eventIdOf(event), event]));
    for (const delivery of due) delivery.event = read.get(eventIdOf(delivery)) ?? 'expired';
  }

  async #send(
    { id, accountId, url, secrets }: LeasedEndpoint,
    event: WebhookEvent,
    send: Send,
  ): Promise<AttemptResult | null> {
    const body = cloudEventOf(event, accountId);
    if (secrets === null) return attemptWithoutAnswer('secret_unreadable');
    return send({ url, secrets }, `${id}_${body.id}`, body);
  }

  #renew(): void {
    if (this.#running.size === 0) return;
    this.queue.renew(this.#processId, [...this.#running.keys()]).catch((error: unknown) => this.#warn(error));
  }

  #warn(error: unknown): void {
    const { message } = error as Error;
    if (error instanceof LeaseLost || message === this.#fault) return;
    this.#fault = message;
    this.log.warn(`webhooks are sent later: ${message}`);
  }
}
