import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { timeLimits } from './time-limits';
import { isOutOfConnections } from './database-error';

type Callback = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

/** Milliseconds after which it is tried again whether the server has more connections to give. */
const retryAfterMs = 1000;

/** A pool that makes do with the connections it has while the server gives no more, as long as it has any. */
export class AdaptivePool extends Pool {
  readonly #configuredMax: number;
  /** Connections that work, as against those that are being made. */
  #connected = 0;
  #lowered = false;

  constructor(config: PoolConfig) {
    super(config);
    this.#configuredMax = this.options.max;
    this.on('connect', () => this.#connected++);
    this.on('remove', () => this.#connected--);
  }

  // pg-pool's own `query` takes the callback.
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

  /** A full pool has its callers wait for a connection that is in use. */
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
