import { newId } from '../../shared/id';
import type { AttemptResult, Delivery, DeliveryChange, LeasedEndpoint, SliceResult } from './delivery';
import { Lanes } from './lanes';
import { outageAfterFailures, outagePause, pauseAfterAttempt } from './retry-schedule';
import type { WebhookEvent } from './webhook-event';

/** New attempts begin for so long. With the last ones, a slice takes twice the time limit of a request at most. */
const sliceMs = 10_000;

/** Attempts at the same time at an endpoint; 1 if it is out of order. */
export const slotsPerEndpoint = 4;

export interface SliceLimits {
  random: () => number;
  isStopped: () => boolean;
}

export const deliveryOf = (event: WebhookEvent): Delivery => {
  const { sequence, part, type, resourceId } = event;
  const keys = event.resourceIds ?? (resourceId === null ? [] : [resourceId]);
  return { id: newId(), sequence, part, type, resourceId, keys, attempts: 0, ageMs: 0, isDue: true, event };
};

/** Returns the events that are due and do not wait behind another one of the same resource. */
export function unblocked(deliveries: readonly Delivery[]): Delivery[] {
  const blocked = new Set<string>();
  return deliveries.filter(({ isDue, keys }) => {
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
  readonly #lanes: Lanes;
  readonly #changes: DeliveryChange[] = [];
  readonly #endsAt = performance.now() + sliceMs;
  readonly #before: number;
  #failures: number;
  #succeeded = false;
  #retryAfterMs: number | null = null;
  /** Whether an event is due that was not tried. */
  #isCut = false;

  constructor(
    private readonly endpoint: Pick<LeasedEndpoint, 'failures'>,
    private readonly send: (event: WebhookEvent) => Promise<AttemptResult | null>,
    private readonly limits: SliceLimits,
  ) {
    this.#before = this.#failures = endpoint.failures;
    this.#lanes = new Lanes(this.#isOutage ? 1 : slotsPerEndpoint);
  }

  get #isOutage(): boolean {
    return this.endpoint.failures >= outageAfterFailures;
  }

  /**
   * @param deliveries in the order of events: those that wait, then new ones
   * @param upTo the last entry whose events are among them
   */
  async run(
    deliveries: readonly Delivery[],
    isNew: (delivery: Delivery) => boolean,
    upTo: number,
  ): Promise<SliceResult> {
    const last = new Map<string, Promise<boolean>>();
    await Promise.all(
      deliveries.map((delivery) => {
        const earlier = delivery.keys.flatMap((key) => last.get(key) ?? []);
        const done = this.#deliver(delivery, earlier, isNew(delivery));
        for (const key of delivery.keys) last.set(key, done);
        return done;
      }),
    );
    const outagePauseMs = outagePause(this.#failures, this.#retryAfterMs, this.limits.random());
    return {
      changes: this.#changes,
      upTo,
      failures: this.#failures,
      outagePauseMs,
      succeeded: this.#succeeded,
      hasMore: this.#isCut,
    };
  }

  /** Returns whether later events of its resources may follow. */
  async #deliver(delivery: Delivery, earlier: Promise<boolean>[], isNew: boolean): Promise<boolean> {
    const isFree = (await Promise.all(earlier)).every(Boolean);
    const result = isFree && delivery.isDue ? await this.#attempt(delivery.event) : null;
    if (result !== null) return this.#finish(delivery, result);
    if (isNew) this.#change(delivery, {});
    return false;
  }

  /** Returns null if there is no time for an attempt. */
  async #attempt(event: Delivery['event']): Promise<AttemptResult | 'expired' | null> {
    if (event === 'expired') return event;
    const result = event && (await this.#lanes.run(async () => (this.#mayAttempt() ? this.send(event) : null)));
    if (result === null) this.#isCut = true;
    return result;
  }

  /** Returns whether another attempt may begin. An endpoint that is out of order gets one, and more after a success. */
  #mayAttempt(): boolean {
    if (this.limits.isStopped() || performance.now() > this.#endsAt) return false;
    return this.#failures < outageAfterFailures || (this.#isOutage && this.#failures === this.#before);
  }

  #finish(delivery: Delivery, result: AttemptResult | 'expired'): boolean {
    if (result === 'expired') {
      this.#change(delivery, { state: 'failed', failure: 'expired' });
      return true;
    }
    const { isDelivered, status, failure, answer, durationMs: duration_ms, retryAfterMs } = result;
    const attempts = delivery.attempts + 1;
    const attempt = { attempts, attempted: true, status, failure, answer, duration_ms };
    if (isDelivered) {
      this.#failures = 0;
      this.#succeeded = true;
      this.#change(delivery, { ...attempt, state: 'delivered' });
      return true;
    }
    this.#failures++;
    this.#retryAfterMs = retryAfterMs;
    const pause_ms = pauseAfterAttempt(attempts, delivery.ageMs, retryAfterMs, this.limits.random());
    this.#change(delivery, { ...attempt, state: pause_ms === null ? 'failed' : 'waiting', pause_ms });
    return pause_ms === null;
  }

  #change({ id, sequence, part, type, resourceId, attempts }: Delivery, change: Partial<DeliveryChange>): void {
    const unset = { attempted: false, pause_ms: null, status: null, failure: null, answer: null, duration_ms: null };
    const row = { id, sequence, part, type, resource_id: resourceId, state: 'waiting', attempts } as const;
    this.#changes.push({ ...row, ...unset, ...change });
  }
}
