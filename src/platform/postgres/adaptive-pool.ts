import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { bindContext } from '../../shared/bind-context';
import { DeadlineExceeded, isOutOfConnections } from './database-error';
import { timeLeft } from './deadline';
import { foundReadOnly } from './resilient-client';
import { timeLimits } from './time-limits';

export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** The time after which the pool tries its configured maximum again. */
const retryAfterMs = 1000;

/**
 * A pool that lowers its maximum while PostgreSQL refuses connections (SQLSTATE 53300), as long as it has any. A wait for a
 * connection ends at the deadline of its request, because queries are refused afterwards. Callbacks run in the context of their
 * caller. The pool itself calls them in the context that freed a connection, with the deadline and the trace of another request.
 */
export class AdaptivePool extends Pool {
  readonly #configuredMax: number;
  /** Counts established connections, without those that are being opened. */
  #connected = 0;
  #lowered = false;

  constructor(config: PoolConfig) {
    super(config);
    this.#configuredMax = this.options.max;
    this.on('connect', () => this.#connected++);
    this.on('remove', () => this.#connected--);
    this.#closeWhenReadOnly();
  }

  // The callback form serves pg-pool's `query`.
  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    if (callback) {
      const bound = bindContext(callback);
      // Idle connections go to those who wait first.
      const isFree = this.idleCount > this.waitingCount;
      return void this.#connect(isFree ? bound : untilDeadline(bound), performance.now() + timeLimits.connect);
    }
    return new Promise((resolve, reject) =>
      this.connect((error, client) => (error ? reject(error) : resolve(client!))),
    );
  }

  #connect(callback: ConnectCallback, giveUpAt: number): void {
    super.connect((error, client, release) => {
      if (!isOutOfConnections(error) || this.#connected === 0 || performance.now() > giveUpAt)
        return callback(error, client, release);
      this.#lowerMaximum();
      this.#connect(callback, giveUpAt);
    });
  }

  /**
   * Closes the idle connections once one is found to be read-only. A session may stay read-only for its whole life. Each idle one
   * would refuse one more write after the database has become writable.
   */
  #closeWhenReadOnly(): void {
    const idle = new Set<PoolClient>();
    this.on('release', (_error, client) => idle.add(client));
    this.on('acquire', (client) => idle.delete(client));
    this.on('remove', (client) => idle.delete(client));
    this.on('connect', (client: PoolClient) =>
      client.on(foundReadOnly as unknown as 'end', () => {
        for (const other of [...idle]) other.emit('error', new Error('the server is read-only'));
      }),
    );
  }

  /** Makes callers wait for a connection in use, as in a full pool. */
  #lowerMaximum(): void {
    this.options.max = this.#connected;
    if (this.#lowered) return;
    this.#lowered = true;
    setTimeout(() => {
      this.#lowered = false;
      this.options.max = this.#configuredMax;
    }, retryAfterMs).unref();
  }
}

/** Reports `DeadlineExceeded` when the request's time is over. A connection that comes later goes back to the pool. */
function untilDeadline(callback: ConnectCallback): ConnectCallback {
  const leftMs = timeLeft();
  if (leftMs === Infinity) return callback;
  let isOver = false;
  const giveUp = (): void => {
    isOver = true;
    callback(new DeadlineExceeded('the request ran out of time before it had a connection'), undefined, () => {});
  };
  const timer = setTimeout(giveUp, Math.max(0, leftMs));
  return (error, client, release) => {
    clearTimeout(timer);
    if (!isOver) callback(error, client, release);
    else if (client) release();
  };
}
