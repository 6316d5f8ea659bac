import { ConcurrencyLimited } from '../rate-limit/rate-limit.errors';
import { DeadlineExceeded } from './database-error';
import { timeLimits } from './time-limits';

/** Identifies the party that a request's connections count for: its account, or its address until the account is known. */
export class ConnectionHolder {
  /** Whether the client has gone or has its answer, so that no connection is needed any more. */
  gone = false;
  /** Set by the last use, and kept after it. */
  line: Line | undefined;
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
   * Returns the refusal of a request that a time limit has ended, because uses of its holder had to wait since it began. Returns null if
   * none had to, or if the database does not answer.
   * @param isAnswering whether the database is known to answer
   */
  async refusalOfTimeout(isAnswering: boolean): Promise<ConcurrencyLimited | null> {
    if (!this.line || this.line.lastFullAt < this.#createdAt) return null;
    return this.line.shares.refusalIfAnswering(isAnswering);
  }
}

type Admitted = (refusal: ConcurrencyLimited | DeadlineExceeded | null) => void;

interface Waiter {
  holder: ConnectionHolder;
  admitted: Admitted;
  tooLong: NodeJS.Timeout;
}

interface Line {
  readonly shares: ConnectionShares;
  running: number;
  waiting: Set<Waiter>;
  /** Time of the last use that found the share in use, as `performance.now()`. */
  lastFullAt: number;
}

/** Bounds memory. Short queries of one account may all wait: a hundred take less time than one may wait. */
const maxWaiting = 100;

/**
 * Gives each holder a part of a pool's connections, so that the others always find a free one. Further uses wait in a short
 * queue of their holder (docs/decisions/0007-time-limits-and-shares.md).
 */
export class ConnectionShares {
  /** Uses that were refused, for metrics. */
  refused = 0;
  /** Uses that wait for another use of their holder, for metrics. */
  waiting = 0;
  readonly #lines = new Map<string, Line>();

  #probe: Promise<boolean> | undefined;

  /**
   * @param share the connections that one holder may use at once
   * @param isAnswering tells whether the database answers anybody; if not, no holder is to blame for a wait
   */
  constructor(
    readonly share: number,
    private readonly isAnswering: () => Promise<boolean>,
  ) {}

  static ofPool(connections: number, isAnswering: () => Promise<boolean>): ConnectionShares {
    return new ConnectionShares(Math.ceil(connections / 3), isAnswering);
  }

  /**
   * Calls `admitted` once the holder may use one more connection. `release` must follow, with the key that the holder has now.
   * @param maxWaitMs the time that the request has left
   */
  acquire(holder: ConnectionHolder, maxWaitMs: number, admitted: Admitted): void {
    const line = this.#lineOf(holder.key);
    holder.line = line;
    if (line.running < this.share) {
      line.running++;
      return admitted(null);
    }
    line.lastFullAt = performance.now();
    if (line.waiting.size >= maxWaiting) return admitted(this.#refusal());
    const waiter: Waiter = {
      holder,
      admitted,
      tooLong: setTimeout(
        () => {
          this.#leave(line, waiter);
          void this.refusalIfAnswering().then((refusal) =>
            admitted(refusal ?? new DeadlineExceeded('the database does not answer, and no connection became free')),
          );
        },
        Math.max(0, Math.min(maxWaitMs, timeLimits.share)),
      ),
    };
    line.waiting.add(waiter);
    this.waiting++;
  }

  release(key: string): void {
    const line = this.#lineOf(key);
    for (const waiter of line.waiting) {
      this.#leave(line, waiter);
      // The connection passes on, so `running` stays the same.
      if (!waiter.holder.gone) return waiter.admitted(null);
      waiter.admitted(this.#refusal());
    }
    line.running--;
    if (line.running === 0) this.#lines.delete(key);
  }

  /** Returns null if the database does not answer, because no holder is to blame then. */
  async refusalIfAnswering(isKnown = false): Promise<ConcurrencyLimited | null> {
    return isKnown || (await this.#probeDatabase()) ? this.#refusal() : null;
  }

  /** Shares one probe between the waits that end together. */
  #probeDatabase(): Promise<boolean> {
    this.#probe ??= this.isAnswering().finally(() => (this.#probe = undefined));
    return this.#probe;
  }

  #lineOf(key: string): Line {
    let line = this.#lines.get(key);
    if (!line) {
      line = { shares: this, running: 0, waiting: new Set(), lastFullAt: -Infinity };
      this.#lines.set(key, line);
    }
    return line;
  }

  #leave(line: Line, waiter: Waiter): void {
    clearTimeout(waiter.tooLong);
    line.waiting.delete(waiter);
    this.waiting--;
  }

  #refusal(): ConcurrencyLimited {
    this.refused++;
    return new ConcurrencyLimited();
  }
}
