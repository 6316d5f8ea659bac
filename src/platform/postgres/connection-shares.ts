import { ConcurrencyLimited } from '../rate-limit/rate-limit.errors';
import { DeadlineExceeded } from './database-error';
import { timeLimits } from './time-limits';

/** Identifies the party that a request's connections count for: its account, or its address until the account is known. */
export class ConnectionHolder {
  /** Whether the client has gone or has its answer, so that no connection is needed any more. */
  gone = false;
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
}

type Admitted = (refusal: ConcurrencyLimited | DeadlineExceeded | null) => void;

interface Waiter {
  holder: ConnectionHolder;
  admitted: Admitted;
  tooLong: NodeJS.Timeout;
}

interface Line {
  running: number;
  waiting: Set<Waiter>;
}

/** Bounds memory. Short queries of one account may all wait: a hundred take less time than one may wait. */
const maxWaiting = 100;

/**
 * Gives each holder a part of a pool's connections, so that the others always find a free one. Further uses wait in a short
 * queue of their holder (docs/decisions/0031-fair-use-of-the-pool.md).
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
    if (line.running < this.share) {
      line.running++;
      return admitted(null);
    }
    if (line.waiting.size >= maxWaiting) return this.#refuse(admitted);
    const waiter: Waiter = {
      holder,
      admitted,
      tooLong: setTimeout(
        () => {
          this.#leave(line, waiter);
          void this.#probeDatabase().then((answers) => {
            if (answers) this.#refuse(admitted);
            else admitted(new DeadlineExceeded('the database does not answer, and no connection became free'));
          });
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
      this.#refuse(waiter.admitted);
    }
    line.running--;
    if (line.running === 0) this.#lines.delete(key);
  }

  /** Shares one probe between the waits that end together. */
  #probeDatabase(): Promise<boolean> {
    this.#probe ??= this.isAnswering().finally(() => (this.#probe = undefined));
    return this.#probe;
  }

  #lineOf(key: string): Line {
    let line = this.#lines.get(key);
    if (!line) this.#lines.set(key, (line = { running: 0, waiting: new Set() }));
    return line;
  }

  #leave(line: Line, waiter: Waiter): void {
    clearTimeout(waiter.tooLong);
    line.waiting.delete(waiter);
    this.waiting--;
  }

  #refuse(admitted: Admitted): void {
    this.refused++;
    admitted(new ConcurrencyLimited());
  }
}
