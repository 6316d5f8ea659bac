import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { timeLimits } from './time-limits';
import { isOutOfConnections } from './database-error';

type Callback = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

/** Milliseconds after which it is tried again whether the server has more connections to give. */
const respite = 1000;

/** A pool that makes do with the connections it has while the server gives no more, as long as it has any. */
export class FrugalPool extends Pool {
  readonly #most: number;
  /** Connections that work, as against those that are being made. */
  #working = 0;
  #shrunk = false;

  constructor(config: PoolConfig) {
    super(config);
    this.#most = this.options.max;
    this.on('connect', () => this.#working++);
    this.on('remove', () => this.#working--);
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
      if (!isOutOfConnections(error) || this.#working === 0 || performance.now() > giveUpAt)
        return callback(error, client, release);
      this.#shrink();
      this.#connect(callback, giveUpAt);
    });
  }

  /** A full pool has its callers wait for a connection that is in use. */
  #shrink(): void {
    this.options.max = this.#working;
    if (this.#shrunk) return;
    this.#shrunk = true;
    setTimeout(() => {
      this.#shrunk = false;
      this.options.max = this.#most;
    }, respite).unref();
  }
}
