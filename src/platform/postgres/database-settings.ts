export class DatabaseSettings {
  readonly url: string;
  /** The URL of the same database without a pooler in between, because LISTEN does not pass one in transaction mode. */
  readonly directUrl: string;
  /** Connections of the management API; link traffic opens half as many. */
  readonly poolSize: number;
}
