import { newId } from '../../shared/id';
import type { AttemptResult, Delivery, DeliveryChange, LeasedEndpoint, SliceResult } from './delivery';
import { outageAfterFailures, outagePause, pauseAfterAttempt } from './retry-schedule';
import type { WebhookEvent } from './webhook-event';

/** New attempts begin for so long. With the last ones, a slice takes twice the time limit of a request at most. */
const sliceMs = 10_000;

/** Attempts at the same time at an endpoint; 1 if it is out of order. */
export const slotsPerEndpoint = 4;

export const deliveryOf = (event: WebhookEvent): Delivery => {
  const { sequence, part, type, resourceId } = event;
  const keys = event.resourceIds ?? (resourceId === null ? [] : [resourceId]);
  return {
    id: newId(),
    sequence,
    part,
    type,
    resourceId,
    keys,
    attempts: 0,
    ageMs: 0,
    isDue: true,
    isNew: true,
    event,
  };
};

/** Returns the events that are due and wait behind no event of the same resource that is not. */
export function unblocked(deliveries: Iterable<Delivery>): Delivery[] {
  const blocked = new Set<string>();
  return [...deliveries].filter(({ isDue, keys }) => {
    const isFree = isDue && !keys.some((key) => blocked.has(key));
    if (!isFree) for (const key of keys) blocked.add(key);
    return isFree;
  });
}

/**
 * Sends events of one endpoint: those of different resources at the same time, those of one resource in order. After some failures
 * without a success the endpoint is out of order. Then one attempt is made, and the rest waits.
 */
export class DeliverySlice {
  /** Events that are neither delivered nor given up. Those that run, or failed, are not due, and block later ones of their resources. */
  readonly #left: Set<Delivery>;
  readonly #changes: DeliveryChange[] = [];
  readonly #endsAt = performance.now() + sliceMs;
  readonly #isOutage: boolean;
  #failures: number;
  #succeeded = false;
  #retryAfterMs: number | null = null;

  /** @param deliveries in the order of events: those that wait, then new ones */
  constructor(
    private readonly endpoint: Pick<LeasedEndpoint, 'failures'>,
    deliveries: readonly Delivery[],
    private readonly send: (event: WebhookEvent) => Promise<AttemptResult | null>,
    private readonly isStopped: () => boolean,
  ) {
    this.#left = new Set(deliveries);
    this.#failures = endpoint.failures;
    this.#isOutage = endpoint.failures >= outageAfterFailures;
  }

  async run(): Promise<SliceResult> {
    const running = new Set<Promise<void>>();
    const begin = (delivery: Delivery): void => {
      delivery.isDue = false;
      const attempt: Promise<void> = this.#attempt(delivery).finally(() => running.delete(attempt));
      running.add(attempt);
    };
    for (;;) {
      const slots = this.#isOutage ? 1 : slotsPerEndpoint;
      for (let next; running.size < slots && (next = this.#next());) begin(next);
      if (running.size === 0) break;
      await Promise.race(running);
    }
    for (const delivery of this.#left) if (delivery.isNew) this.#change(delivery, {});
    return {
      changes: this.#changes,
      failures: this.#failures,
      outagePauseMs: outagePause(this.#failures, this.#retryAfterMs, Math.random()),
      succeeded: this.#succeeded,
      hasMore: unblocked(this.#left).length > 0,
    };
  }

  /** Returns the next event to send. An endpoint that is out of order gets one attempt, and more after a success. */
  #next(): Delivery | undefined {
    if (this.isStopped() || performance.now() > this.#endsAt) return undefined;
    const { failures } = this.endpoint;
    const mayAttempt = this.#failures < outageAfterFailures || (this.#isOutage && this.#failures === failures);
    return mayAttempt ? unblocked(this.#left)[0] : undefined;
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { event } = delivery;
    if (event === 'expired') return this.#change(delivery, { state: 'failed', failure: 'expired' });
    const result = await this.send(event!);
    // The stop of the process has interrupted the attempt.
    if (result === null) return void (delivery.isDue = true);
    const { isDelivered, status, failure, answer, durationMs: duration_ms, retryAfterMs } = result;
    const attempts = delivery.attempts + 1;
    const attempt = { attempts, attempted: true, status, failure, answer, duration_ms };
    if (isDelivered) {
      this.#failures = 0;
      this.#succeeded = true;
      return this.#change(delivery, { ...attempt, state: 'delivered' });
    }
    this.#failures++;
    this.#retryAfterMs = retryAfterMs;
    const pause_ms = pauseAfterAttempt(attempts, delivery.ageMs, retryAfterMs, Math.random());
    this.#change(delivery, { ...attempt, state: pause_ms === null ? 'failed' : 'waiting', pause_ms });
  }

  #change(delivery: Delivery, change: Partial<DeliveryChange>): void {
    const { id, sequence, part, type, resourceId: resource_id, attempts } = delivery;
    const unset = { attempted: false, pause_ms: null, status: null, failure: null, answer: null, duration_ms: null };
    const row = { id, sequence, part, type, resource_id, state: 'waiting', attempts, ...unset, ...change } as const;
    this.#changes.push(row);
    delivery.isNew = false;
    if (row.state !== 'waiting') this.#left.delete(delivery);
  }
}
