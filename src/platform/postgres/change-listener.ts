import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { poolOptions } from './connection';
import { ResilientClient, within } from './resilient-client';

/** Names what changed, by kind. Triggers write it (`migrations/0003-link-traffic.sql`). */
export interface Changes {
  /** Ids of dynamic links. */
  links?: string[];
  /** A project's id, a slash, and a path whose link has changed or is gone. */
  paths?: string[];
  /** Ids of projects whose hosts or apps have changed. */
  projects?: string[];
  /** Host names outside the link domain that have begun or ceased to lead to a project. */
  hosts?: string[];
  /** Ids of API keys. */
  keys?: string[];
  /** Ids of accounts. */
  accounts?: string[];
}

const heartbeatIntervalMs = 200;

const heartbeatTimeoutMs = 600;

/**
 * The time for which a heartbeat proves that the connection delivers notifications. It is under a second, because a connection
 * may fail silently, and changes must be visible within a second.
 */
const heartbeatValidMs = 850;

/** Detects a pooler, which may send each query to another backend, while only one of them listens. */
const backendPidSql = 'SELECT pg_backend_pid() AS pid';

const retryIntervalMs = 250;

/**
 * Receives the database's notifications (`NOTIFY`), so that caches can be invalidated. It needs a direct connection, because
 * `LISTEN` does not pass a pooler in transaction mode (README, `DATABASE_DIRECT_URL`).
 *
 * A cached row is valid while `epoch` is unchanged and `current` is true. Before a query result is cached, `notificationCount`
 * must equal its value before the query, because a result may be older than a notification that arrived in between.
 */
export class ChangeListener {
  /** Counts connections and notifications of unknown content. Rows that were read in another epoch are unproven. */
  epoch = 0;
  notificationCount = 0;
  readonly #listeners = new EventEmitter<{ changes: [Changes]; lost: [epoch: number] }>();
  readonly #attempts = new EventEmitter<{ tried: [] }>();
  readonly #stopped = new AbortController();
  #heartbeatValidUntil = -Infinity;
  #running: Promise<void> | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly log: (message: string) => void,
  ) {
    this.#listeners.setMaxListeners(100);
  }

  /** Whether all notifications of commits until less than a second ago have arrived. */
  get current(): boolean {
    return performance.now() < this.#heartbeatValidUntil;
  }

  onChanges(listener: (changes: Changes) => void): void {
    this.#listeners.on('changes', listener);
  }

  /** Calls the listener with each epoch that ends, because rows of that epoch are no longer invalidated. */
  onLost(listener: (epoch: number) => void): void {
    this.#listeners.on('lost', listener);
  }

  /** Returns when it listens, or when the first attempt has failed; it goes on trying. */
  async start(): Promise<void> {
    const tried = once(this.#attempts, 'tried');
    this.#running = this.#run();
    await tried;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    let complained = false;
    while (!signal.aborted) {
      let listening = false;
      try {
        await this.#listen(() => {
          listening = true;
          complained = false;
        });
      } catch (error) {
        if (!complained && !signal.aborted) this.log(`announcements are not heard: ${(error as Error).message}`);
        complained = true;
      }
      this.#heartbeatValidUntil = -Infinity;
      if (listening) this.#endEpoch();
      this.#attempts.emit('tried');
      await sleep(retryIntervalMs, undefined, { signal }).catch(() => {});
    }
  }

  /** @throws Error when the connection breaks, or does not answer in time */
  async #listen(onListening: () => void): Promise<void> {
    const { signal } = this.#stopped;
    const client = new ResilientClient(poolOptions(this.databaseUrl, { max: 1, name: 'announcements' }));
    const broken = new AbortController();
    const onBroken = () => {
      this.#heartbeatValidUntil = -Infinity;
      broken.abort();
    };
    client.on('error', onBroken);
    client.on('end', onBroken);
    client.on('notification', ({ payload }) => this.#onNotification(payload ?? ''));
    const eitherSignal = AbortSignal.any([signal, broken.signal]);
    let listener: number | undefined;
    const sendHeartbeat = async (): Promise<number> => {
      const sentAt = performance.now();
      const { rows } = await client.query<{ pid: number }>(within(heartbeatTimeoutMs, { text: backendPidSql }));
      listener ??= rows[0]?.pid;
      if (rows[0]?.pid !== listener)
        throw new Error('it is another server process that answers now: a pooler is in between');
      return sentAt;
    };
    try {
      await client.connect();
      await sendHeartbeat();
      await client.query(within(heartbeatTimeoutMs, { text: 'LISTEN signpost_changes' }));
      const sentAt = await sendHeartbeat();
      // Rows that were read while nothing listened belong to the epoch that ends here.
      this.#endEpoch();
      this.#heartbeatValidUntil = sentAt + heartbeatValidMs;
      onListening();
      this.#attempts.emit('tried');
      for (;;) {
        await sleep(heartbeatIntervalMs, undefined, { signal: eitherSignal }).catch(() => {});
        if (signal.aborted) return;
        if (broken.signal.aborted) throw new Error('the connection was lost');
        this.#heartbeatValidUntil = (await sendHeartbeat()) + heartbeatValidMs;
      }
    } finally {
      client.removeAllListeners('notification');
      void client.end().catch(() => {});
    }
  }

  #onNotification(payload: string): void {
    this.notificationCount++;
    const changes = parseChanges(payload);
    if (changes === null) this.#endEpoch();
    else this.#listeners.emit('changes', changes);
  }

  #endEpoch(): void {
    this.#listeners.emit('lost', this.epoch++);
  }
}

/** Returns null for a change of everything, and for a payload of a newer release. */
function parseChanges(payload: string): Changes | null {
  try {
    const changes: unknown = JSON.parse(payload);
    return typeof changes === 'object' ? changes : null;
  } catch {
    return null;
  }
}
