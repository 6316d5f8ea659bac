import { Pool, type PoolClient } from 'pg';
import { isOutOfConnections } from './database-error';

type Callback = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

/** Milliseconds after which it is tried again whether the server has more connections to give. */
const respite = 1000;

/** A pool that makes do with the connections it has while the server gives no more, as long as it has any. */
export class FrugalPool extends Pool {
  readonly #most = this.options.max;
  #shrunk = false;

  // pg-pool's own `query` takes the callback.
  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (!callback)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (error ? reject(error) : resolve(client!))),
      );
    super.connect((error, client, release) => {
      if (!isOutOfConnections(error) || this.totalCount === 0) return callback(error, client, release);
      this.#shrink();
      super.connect(callback);
    });
    return undefined;
  }

  /** A full pool has its callers wait for a connection that is in use. */
  #shrink(): void {
    this.options.max = this.totalCount;
    if (this.#shrunk) return;
    this.#shrunk = true;
    setTimeout(() => {
      this.#shrunk = false;
      this.options.max = this.#most;
    }, respite).unref();
  }
}
