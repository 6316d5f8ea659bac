import type { EventFilter } from './pg-webhook-events';
import type { WebhookEvent } from './webhook-event';

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;

export interface AttemptResult {
  isDelivered: boolean;
  /** Status of the answer; null without one. */
  status: number | null;
  /** Reason of the failure; null for a success. */
  failure: string | null;
  /** The beginning of the body of the answer. */
  answer: string | null;
  durationMs: number;
  retryAfterMs: number | null;
}

export const attemptWithoutAnswer = (failure: string, durationMs = 0): AttemptResult => ({
  isDelivered: false,
  status: null,
  failure,
  answer: null,
  durationMs,
  retryAfterMs: null,
});

/** An endpoint that this process has leased. */
export interface LeasedEndpoint extends EventFilter {
  id: string;
  url: string;
  /** Null if a secret cannot be decrypted. */
  secrets: readonly string[] | null;
  /** The last entry that was delivered, or waits. */
  sequence: number;
  /** The last entry of the account. */
  head: number;
  failures: number;
}

/** An event that waits for an attempt. */
export interface Delivery {
  id: string;
  sequence: number;
  part: number;
  type: string;
  resourceId: string | null;
  /** Resources whose events keep their order. */
  keys: readonly string[];
  attempts: number;
  /** Time since the first attempt. */
  ageMs: number;
  isDue: boolean;
  /** Whether no row of it is stored. */
  isNew: boolean;
  /** Null if it was not read, because it is not due. */
  event: WebhookEvent | 'expired' | null;
}

/** An event and the last attempt at it, as they are stored. */
export type StoredDelivery = Pick<Delivery, 'id' | 'sequence' | 'part' | 'type' | 'attempts'> &
  Pick<AttemptResult, 'status' | 'failure' | 'answer'> & { state: (typeof deliveryStates)[number] };

/** The new state of an event after a slice of work. */
export interface DeliveryChange extends StoredDelivery {
  resource_id: string | null;
  attempted: boolean;
  /** Null if it waits behind another event, or for no attempt. */
  pause_ms: number | null;
  duration_ms: number | null;
}

export interface SliceResult {
  changes: DeliveryChange[];
  failures: number;
  /** Null if the endpoint is in order. */
  outagePauseMs: number | null;
  /** Whether an attempt has succeeded. */
  succeeded: boolean;
  /** Whether another slice can follow at once. */
  hasMore: boolean;
}
