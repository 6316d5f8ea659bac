import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { timeLimits } from './time-limits';
import { isOutOfConnections } from './database-error';

type Callback = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

/** The time after which the pool tries its configured maximum again. */
const retryAfterMs = 1000;

/** A pool that lowers its maximum while PostgreSQL refuses connections (SQLSTATE 53300), as long as it has any. */
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
  }

  // The callback form serves pg-pool's `query`.
  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback) return void this.#connect(callback, performance.now() + timeLimits.connect);
    return new Promise((resolve, reject) =>
      this.connect((error, client) => (error ? reject(error) : resolve(client!))),
    );
  }

  #connect(callback: Callback, giveUpAt: number): void {
    super.connect((error, client, release) => {
      if (!isOutOfConnections(error) || this.#connected === 0 || performance.now() > giveUpAt)
        return callback(error, client, release);
      this.#lowerMaximum();
      this.#connect(callback, giveUpAt);
    });
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
