import type { Pool } from 'pg';
import type { PgClickDeliveries } from './pg-click-deliveries';
import { advisoryLocks } from '../platform/postgres/advisory-locks';
import { SessionLock } from './session-lock';

const minIntervalMs = 10_000;

/** A count reads a row for each batch of a long outage. The pause after it is so many times as long, because deliveries wait for it. */
const pauseFactor = 20;

/** Counts the clicks that wait for the primary, in one process of the region, also while the primary does not answer. */
export class UndeliveredClicks {
  #count: number | null = null;
  #nextAt = -Infinity;
  #counting: Promise<void> | undefined;
  readonly #lock: SessionLock;

  /** @param local has one connection */
  constructor(
    local: Pool,
    private readonly deliveries: PgClickDeliveries,
  ) {
    this.#lock = new SessionLock(local, advisoryLocks.regionClickCount);
  }

  /** The last count; null before the first one, and if another process counts. */
  get count(): number | null {
    return this.#count;
  }

  /** Begins a count if the last one is old enough, and does not wait for it. */
  refresh(): void {
    if (performance.now() >= this.#nextAt) this.#counting ??= this.#refresh();
  }

  /** Waits for the count that runs. */
  async stop(): Promise<void> {
    await this.#counting;
  }

  async #refresh(): Promise<void> {
    const startedAt = performance.now();
    try {
      this.#count = (await this.#lock.tryHold()) ? await this.deliveries.countUndelivered() : null;
    } catch {
      // The last count stays. The health check reports a database that does not answer.
    }
    const endedAt = performance.now();
    this.#nextAt = endedAt + Math.max(minIntervalMs, pauseFactor * (endedAt - startedAt));
    this.#counting = undefined;
  }
}
