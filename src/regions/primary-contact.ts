import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { PgClickDeliveries } from './pg-click-deliveries';
import { PgDeferredLinkMoves } from './pg-deferred-link-moves';
import type { Log } from '../platform/observability/log';
import { advisoryLocks } from '../platform/postgres/advisory-locks';
import type { Region } from './region';
import { explainTlsFault } from '../platform/schema/tls-fault';

/** A token that is claimed in another region waits for the next contact. */
const intervalMs = 500;

const stopTimeoutMs = 3000;

const countIntervalMs = 10_000;

/** Replication that works is less than three seconds behind: the heartbeat of a second, the interval and the network. */
const maxCurrentLagMs = 10_000;

interface PrimaryState {
  contacted_at: Date;
  last_delivery: string;
  requested_tokens: Buffer[];
}

/**
 * Keeps a region in contact with its primary. Each process writes and reads the heartbeat of the region, so that it knows how far
 * replication is behind. One process at a time also delivers clicks, and moves tokens that other regions asked for.
 */
export class PrimaryContact {
  /** Whether the last contact succeeded; null before the first one. */
  #isUp: boolean | null = null;
  /** When the last replicated heartbeat was written, in milliseconds since 1970 by the clock of the primary. */
  #heartbeatAt: number | null = null;
  /** The clock of the primary minus the clock of this process. */
  #clockDifferenceMs = 0;
  #isBehind = false;
  #stopped = false;
  #running: Promise<void> | undefined;
  #delivering: Promise<void> | undefined;
  #deliveryFails = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #deliveries: PgClickDeliveries;
  readonly #moves: PgDeferredLinkMoves;
  /** Clicks that the primary did not have at the last count; null before the first one. */
  undeliveredClicks: number | null = null;
  #countedAt = -Infinity;
  #counting: Promise<void> | undefined;

  /** @param local has one connection, which holds locks and bypasses a pooler */
  constructor(
    private readonly region: Region,
    private readonly local: Pool,
    private readonly primary: Pool,
    private readonly log: Log,
  ) {
    this.#deliveries = new PgClickDeliveries(local, primary, region.writer, (message) => log.warn(message));
    this.#moves = new PgDeferredLinkMoves(local, primary, region.code);
  }

  get isUp(): boolean {
    return this.#isUp === true;
  }

  /** How old the replicated data are; null until the region has been read once. */
  get lagMs(): number | null {
    if (this.#heartbeatAt === null) return null;
    return Math.max(0, Date.now() + this.#clockDifferenceMs - this.#heartbeatAt);
  }

  get state(): 'current' | 'behind' {
    const { lagMs } = this;
    return lagMs === null || lagMs > maxCurrentLagMs ? 'behind' : 'current';
  }

  /** Begins, and waits for no contact, because the region serves visits without its primary. */
  start(): void {
    this.#scheduleNext(0);
  }

  /** Begins no more work, and waits some seconds for the statement that runs. The next process continues. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    const worked = Promise.all([this.#running, this.#delivering]);
    // A delivery may take longer. If the end of the process cuts it off, the primary has it once or the next process sends it.
    await Promise.race([worked, sleep(stopTimeoutMs, undefined, { ref: false })]);
    await this.#counting;
  }

  #scheduleNext(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#contact().finally(() => this.#scheduleNext(intervalMs));
    }, delayMs).unref();
  }

  async #contact(): Promise<void> {
    await this.#readHeartbeat();
    try {
      const state = await this.#callPrimary();
      // After the call, because a process that cannot reach the primary must leave the lock to one that can.
      if (await this.#isLeader()) {
        this.#deliver(state.last_delivery);
        await this.#moves.answer(state.requested_tokens);
      }
      if (this.#isUp === false) this.log.warn(`region ${this.region.name} has contact with its primary again`);
      this.#isUp = true;
    } catch (error) {
      if (this.#isUp !== false)
        this.log.warn(
          `region ${this.region.name} has no contact with its primary: ${(explainTlsFault('PRIMARY_DATABASE_URL', error) as Error).message}`,
        );
      this.#isUp = false;
      await this.#leaveLead();
    }
    this.#logLag();
    this.#count();
  }

  /** Counts beside the contacts, also while the primary does not answer. The last count stays if the database does not answer either. */
  #count(): void {
    if (performance.now() - this.#countedAt < countIntervalMs) return;
    this.#countedAt = performance.now();
    this.#counting = this.#deliveries.countUndelivered().then(
      (clicks) => void (this.undeliveredClicks = clicks),
      () => {},
    );
  }

  /** Delivers beside the contacts, because the clicks of an outage take longer than the interval. */
  #deliver(last: string): void {
    this.#delivering ??= this.#deliveries
      .deliver(last, () => this.#stopped)
      .then(
        () => (this.#deliveryFails = false),
        (error: unknown) => {
          if (!this.#deliveryFails) this.log.warn(`clicks are not delivered yet: ${(error as Error).message}`);
          this.#deliveryFails = true;
        },
      )
      .then(() => (this.#delivering = undefined));
  }

  async #readHeartbeat(): Promise<void> {
    try {
      const { rows } = await this.local.query<{ heartbeat_at: Date }>(
        'SELECT heartbeat_at FROM regions WHERE code = $1',
        [this.region.code],
      );
      this.#heartbeatAt = rows[0]?.heartbeat_at.getTime() ?? null;
    } catch {
      // The health check and other pools report it.
    }
  }

  /** Returns whether this process delivers for the region. The session may take its lock again and again. */
  async #isLeader(): Promise<boolean> {
    const sql = `SELECT pg_try_advisory_lock(${advisoryLocks.regionLeader}) AS held`;
    return this.local.query<{ held: boolean }>(sql).then(
      ({ rows }) => rows[0]!.held,
      () => false, // reported like the heartbeat
    );
  }

  /** Lets another process deliver. The session has no other lock. */
  async #leaveLead(): Promise<void> {
    await this.local.query('SELECT pg_advisory_unlock_all()').catch(() => {});
  }

  /** @throws Error if the primary does not answer, or does not know the region */
  async #callPrimary(): Promise<PrimaryState> {
    const { rows } = await this.primary.query<PrimaryState>('SELECT * FROM contact_primary($1, $2)', [
      this.region.code,
      this.region.writer,
    ]);
    const [state] = rows;
    if (!state) throw new Error('it does not know the region; run "admin region add" again, or stop this process');
    this.#clockDifferenceMs = state.contacted_at.getTime() - Date.now();
    return state;
  }

  #logLag(): void {
    const isBehind = this.state === 'behind';
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    const seconds = this.lagMs === null ? 'an unknown time' : `${Math.round(this.lagMs / 1000)} s`;
    this.log.warn(
      isBehind
        ? `region ${this.region.name} is ${seconds} behind its primary`
        : `region ${this.region.name} is up to date again`,
    );
  }
}
