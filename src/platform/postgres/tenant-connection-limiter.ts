import { ConcurrencyLimited } from '../rate-limit/rate-limit.errors';
import { DeadlineExceeded } from './database-error';
import { timeLimits } from './time-limits';

/** Identifies the party that a request's connections count for: its account, or its address until the account is known. */
export class Tenant {
  /** Whether the client has gone or has its answer, so that no connection is needed any more. */
  gone = false;
  /** Set by the last use, and kept after it. */
  queue: TenantQueue | undefined;
  readonly #createdAt = performance.now();
  #key: string | (() => string);

  /** @param key may be derived when it is first read, because most requests get the key of their account before */
  constructor(key: string | (() => string)) {
    this.#key = key;
  }

  get key(): string {
    if (typeof this.#key === 'function') this.#key = this.#key();
    return this.#key;
  }

  set key(key: string) {
    this.#key = key;
  }

  /**
   * Returns the refusal of a request that a time limit has ended, because uses of its tenant had to wait since it began. Returns null if
   * none had to, or if the database does not answer.
   * @param isAnswering whether the database is known to answer
   */
  async refusalOfTimeout(isAnswering: boolean): Promise<ConcurrencyLimited | null> {
    if (!this.queue || this.queue.lastFullAt < this.#createdAt) return null;
    return this.queue.shares.refusalIfAnswering(isAnswering);
  }
}

type Admitted = (refusal: ConcurrencyLimited | DeadlineExceeded | null) => void;

interface Waiter {
  tenant: Tenant;
  admitted: Admitted;
  tooLong: NodeJS.Timeout;
}

interface TenantQueue {
  readonly shares: TenantConnectionLimiter;
  running: number;
  waiting: Set<Waiter>;
  /** Time of the last use that found the share in use, as `performance.now()`. */
  lastFullAt: number;
}

/** Bounds memory. Short queries of one account may all wait: a hundred take less time than one may wait. */
const maxWaiting = 100;

/**
 * Gives each tenant a part of a pool's connections, so that the others always find a free one. Further uses wait in a short
 * queue of their tenant (docs/decisions/0007-time-limits-and-shares.md).
 */
export class TenantConnectionLimiter {
  refused = 0;
  /** Uses that wait for another use of their tenant, for metrics. */
  waiting = 0;
  readonly #queues = new Map<string, TenantQueue>();

  #probe: Promise<boolean> | undefined;

  /**
   * @param share the connections that one tenant may use at once
   * @param isAnswering tells whether the database answers anybody; if not, no tenant is to blame for a wait
   */
  constructor(
    readonly share: number,
    private readonly isAnswering: () => Promise<boolean>,
  ) {}

  static ofPool(connections: number, isAnswering: () => Promise<boolean>): TenantConnectionLimiter {
    return new TenantConnectionLimiter(Math.ceil(connections / 3), isAnswering);
  }

  /**
   * Calls `admitted` once the tenant may use one more connection. `release` must follow, with the key that the tenant has now.
   * @param maxWaitMs the time that the request has left
   */
  acquire(tenant: Tenant, maxWaitMs: number, admitted: Admitted): void {
    const queue = this.#queueOf(tenant.key);
    tenant.queue = queue;
    if (queue.running < this.share) {
      queue.running++;
      return admitted(null);
    }
    queue.lastFullAt = performance.now();
    if (queue.waiting.size >= maxWaiting) return admitted(this.#refusal());
    const waiter: Waiter = {
      tenant,
      admitted,
      tooLong: setTimeout(
        () => {
          this.#leave(queue, waiter);
          void this.refusalIfAnswering().then((refusal) =>
            admitted(refusal ?? new DeadlineExceeded('the database does not answer, and no connection became free')),
          );
        },
        Math.max(0, Math.min(maxWaitMs, timeLimits.share)),
      ),
    };
    queue.waiting.add(waiter);
    this.waiting++;
  }

  release(key: string): void {
    const queue = this.#queueOf(key);
    for (const waiter of queue.waiting) {
      this.#leave(queue, waiter);
      // The connection passes on, so `running` stays the same.
      if (!waiter.tenant.gone) return waiter.admitted(null);
      waiter.admitted(this.#refusal());
    }
    queue.running--;
    if (queue.running === 0) this.#queues.delete(key);
  }

  /** Returns null if the database does not answer, because no tenant is to blame then. */
  async refusalIfAnswering(isKnown = false): Promise<ConcurrencyLimited | null> {
    return isKnown || (await this.#probeDatabase()) ? this.#refusal() : null;
  }

  /** Shares one probe between the waits that end together. */
  #probeDatabase(): Promise<boolean> {
    this.#probe ??= this.isAnswering().finally(() => (this.#probe = undefined));
    return this.#probe;
  }

  #queueOf(key: string): TenantQueue {
    let queue = this.#queues.get(key);
    if (!queue) {
      queue = { shares: this, running: 0, waiting: new Set(), lastFullAt: -Infinity };
      this.#queues.set(key, queue);
    }
    return queue;
  }

  #leave(queue: TenantQueue, waiter: Waiter): void {
    clearTimeout(waiter.tooLong);
    queue.waiting.delete(waiter);
    this.waiting--;
  }

  #refusal(): ConcurrencyLimited {
    this.refused++;
    return new ConcurrencyLimited();
  }
}
