import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { bindContext } from '../../shared/bind-context';
import { DeadlineExceeded, isOutOfConnections } from './database-error';
import { timeLeft } from './request-context';
import { foundReadOnly } from './resilient-client';
import { timeLimits } from './time-limits';

export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** The wait for a connection in use while PostgreSQL refuses further ones. */
const retryAfterMs = 200;

/**
 * A pool that works with the connections it has while PostgreSQL refuses further ones (SQLSTATE 53300). A wait for a
 * connection ends at the deadline of its request, because queries are refused afterwards. Callbacks run in the context of their
 * caller. The pool itself calls them in the context that freed a connection, with the deadline and the trace of another request.
 */
export class AdaptivePool extends Pool {
  constructor(config: PoolConfig) {
    super(config);
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
      if (!isOutOfConnections(error) || performance.now() > giveUpAt) return callback(error, client, release);
      setTimeout(() => this.#connect(callback, giveUpAt), retryAfterMs);
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
