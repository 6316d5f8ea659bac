import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { anySignal } from '../../shared/any-signal';
import { Clock } from '../../shared/clock';
import { versionOfThis } from '../../shared/package-root';
import { poolOptions } from '../postgres/connection';
import { ResilientClient, within } from '../postgres/resilient-client';
import { timeLimits } from '../postgres/time-limits';

/** Changed items by kind, as the triggers of `migrations/` write them (`0001-change-notifications.sql`). */
export interface Changes {
  links?: string[];
  templates?: string[];
  /** A project's id, a slash, and a path whose target changed. */
  paths?: string[];
  projects?: string[];
  hosts?: string[];
  keys?: string[];
  accounts?: string[];
}

/** The name of the session in `pg_stat_activity`, before the version of its process. */
export const listenerName = 'signpost change listener';

const heartbeatIntervalMs = 200;

/** Detects a pooler, which sends each query to another server process. Only one of them listens. */
const heartbeatSql = 'SELECT pg_backend_pid() AS pid, clock_timestamp() AS now';

/** Names the session, by which replicas and their versions are known without a table of them. */
const listenSql = `LISTEN signpost_changes; SET application_name = '${listenerName} ${versionOfThis()}'`;

/** Differences below this count as none, because they can be delays of an answer. */
const minClockDifferenceMs = 1000;

const retryIntervalMs = 250;

/**
 * Listens for notifications of changes (`NOTIFY`), so that caches can be invalidated. It needs a direct connection, because
 * notifications do not pass a pooler in transaction mode (docs/settings.md, `DATABASE_DIRECT_URL`).
 *
 * A cached value is valid while `epoch` is unchanged and `current` is true. A reader may cache an answer only if
 * `notificationCount` is the same before and after the query. Otherwise the answer may be older than a notification.
 */
export class ChangeListener {
  /** Counts connections, and notifications that everything changed. Values of another epoch may be stale. */
  epoch = 0;
  notificationCount = 0;
  /** Whether this epoch began to listen. It stays true while a heartbeat is late, until the epoch ends. */
  isListening = false;
  /** The clock of the database minus that of this process; 0 if they agree to the second, and before the first heartbeat. */
  clockDifferenceMs = 0;
  readonly #listeners = new EventEmitter<{ changes: [Changes]; lost: [epoch: number] }>();
  readonly #attempts = new EventEmitter<{ tried: [] }>();
  readonly #stopped = new AbortController();
  #heartbeatValidUntil = -Infinity;
  #running: Promise<void> | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly log: (message: string) => void,
    private readonly clock = new Clock(),
  ) {
    this.#listeners.setMaxListeners(100);
  }

  get current(): boolean {
    return performance.now() < this.#heartbeatValidUntil;
  }

  onChanges(listener: (changes: Changes) => void): void {
    this.#listeners.on('changes', listener);
  }

  onLost(listener: (epoch: number) => void): void {
    this.#listeners.on('lost', listener);
  }

  /** Resolves once it listens, or once the first attempt failed. It then keeps retrying. */
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
    let warned = false;
    while (!signal.aborted) {
      let listening = false;
      try {
        await this.#listen(() => {
          listening = true;
          warned = false;
        });
      } catch (error) {
        if (!warned && !signal.aborted) this.log(`change notifications are not received: ${(error as Error).message}`);
        warned = true;
      }
      this.#heartbeatValidUntil = -Infinity;
      if (listening) this.#endEpoch();
      this.isListening = false;
      this.#attempts.emit('tried');
      await sleep(retryIntervalMs, undefined, { signal }).catch(() => {});
    }
  }

  async #listen(onListening: () => void): Promise<void> {
    const { signal } = this.#stopped;
    const client = new ResilientClient(poolOptions(this.databaseUrl, { max: 1, name: 'change listener' }));
    const broken = new AbortController();
    const onBroken = () => {
      this.#heartbeatValidUntil = -Infinity;
      broken.abort();
    };
    client.on('error', onBroken);
    client.on('end', onBroken);
    client.on('notification', ({ payload }) => this.#onNotification(payload ?? ''));
    const eitherSignal = anySignal(signal, broken.signal);
    let backendPid: number | undefined;
    const sendHeartbeat = async (): Promise<number> => {
      const sentAt = performance.now();
      const { rows } = await client.query<{ pid: number; now: Date }>(
        within(timeLimits.heartbeat, { text: heartbeatSql }),
      );
      if (performance.now() - sentAt < minClockDifferenceMs) {
        const differenceMs = rows[0]!.now.getTime() - this.clock.now();
        this.clockDifferenceMs = Math.abs(differenceMs) < minClockDifferenceMs ? 0 : differenceMs;
      }
      backendPid ??= rows[0]?.pid;
      if (rows[0]?.pid !== backendPid)
        throw new Error('Another server process answers, so a pooler is in between. Set DATABASE_DIRECT_URL.');
      return sentAt;
    };
    try {
      await client.connect();
      await sendHeartbeat();
      await client.query(within(timeLimits.heartbeat, { text: listenSql }));
      const sentAt = await sendHeartbeat();
      this.#endEpoch();
      this.isListening = true;
      this.#heartbeatValidUntil = sentAt + timeLimits.heartbeatValid;
      onListening();
      this.#attempts.emit('tried');
      for (;;) {
        await sleep(heartbeatIntervalMs, undefined, { signal: eitherSignal }).catch(() => {});
        if (signal.aborted) return;
        if (broken.signal.aborted) throw new Error('the connection was lost');
        this.#heartbeatValidUntil = (await sendHeartbeat()) + timeLimits.heartbeatValid;
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

/** Returns null if everything changed. An unknown payload counts as such, because a newer release may send it. */
function parseChanges(payload: string): Changes | null {
  try {
    const changes: unknown = JSON.parse(payload);
    return typeof changes === 'object' ? changes : null;
  } catch {
    return null;
  }
}
