import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { poolOptions } from './connection';
import { ResilientClient, within } from './resilient-client';

/** What changed: names by kind, as the triggers of `migrations/` write them (`0003-link-traffic.sql`). */
export interface Changes {
  /** Ids of dynamic links. */
  links?: string[];
  /** A project's id, a slash, and a path that leads elsewhere now, or nowhere. */
  paths?: string[];
  /** Ids of projects whose hosts or apps are others now. */
  projects?: string[];
  /** Host names outside the link domain that lead to a project now, or no longer do. */
  hosts?: string[];
  /** Ids of API keys. */
  keys?: string[];
  /** Ids of accounts. */
  accounts?: string[];
}

/** Milliseconds between two questions whether the connection still hears everything. */
const heartbeatIntervalMs = 200;

/** Milliseconds that the answer may take. */
const heartbeatTimeoutMs = 600;

/**
 * Milliseconds after which a proof is worth nothing any more. A connection may go deaf without breaking; what it does not
 * hear must be seen within a second nevertheless.
 */
const heartbeatValidMs = 850;

/** A pooler may hand each question to another server process, while only one of them listens. */
const backendPidSql = 'SELECT pg_backend_pid() AS pid';

/** Milliseconds between two tries to connect. */
const retryIntervalMs = 250;

/**
 * Listens to what the database announces (`NOTIFY`), so that what a process remembers can be kept true. It needs a direct
 * connection: announcements do not pass a pooler in transaction mode (README, `DATABASE_DIRECT_URL`).
 *
 * What was learnt from the database may be believed while `epoch` is what it was and `current` is true. Whoever asks the
 * database and wants to remember the answer compares `notificationCount` before and after: had something been announced in between, the
 * answer may be older than the announcement.
 */
export class ChangeListener {
  /** Counts the connections, and the announcements that everything changed: what was learnt in another epoch is unproven. */
  epoch = 0;
  /** Counts the announcements. */
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

  /** Whether all that was committed until a moment ago, well under a second, has been heard. */
  get current(): boolean {
    return performance.now() < this.#heartbeatValidUntil;
  }

  onChanges(listener: (changes: Changes) => void): void {
    this.#listeners.on('changes', listener);
  }

  /** Called with each epoch that ends: nothing that was learnt in it is kept true any longer. */
  onLost(listener: (epoch: number) => void): void {
    this.#listeners.on('lost', listener);
  }

  /** Returns when it listens, or when the first try has failed: it goes on trying. */
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
      // What was learnt while nobody listened is of an epoch of its own.
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

/** Null for everything, and for what nobody here understands: a newer release may announce more. */
function parseChanges(payload: string): Changes | null {
  try {
    const changes: unknown = JSON.parse(payload);
    return typeof changes === 'object' ? changes : null;
  } catch {
    return null;
  }
}
