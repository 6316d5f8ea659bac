import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';
import type { ChangeListener } from './change-listener';
import { DeadlineExceeded, isUnavailable } from '../postgres/database-error';
import type { CircuitBreaker } from '../../shared/circuit-breaker';

const staleTtlMs = 60 * 60_000;

const lookupTimeoutMs = 1000;

const joinWindowMs = 250;

interface Entry<V> {
  value: V;
  epoch: number;
  fetchedAt: number;
}

interface PendingLookup<V> {
  answer: Promise<V | null>;
  startedAt: number;
  notificationCount: number;
}

export interface CacheCounts {
  hits: number;
  misses: number;
  evictions: number;
  stale: number;
}

interface Options<V> {
  bytes: number;
  sizeOf: (value: V) => number;
  /** Returns the ids whose changes make the value invalid. */
  subjectsOf: (value: V) => readonly string[];
  circuitBreaker: CircuitBreaker;
}

/**
 * Caches answers of the database until a notification invalidates them. While notifications are not received, each look-up
 * queries the database. If that fails too, the last known answer is served, for up to an hour. Absence is never cached.
 */
export class NotifyInvalidatedCache<V extends object> {
  readonly counts: CacheCounts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #pending = new Map<string, PendingLookup<V>>();
  readonly #keysOf = new Map<string, string | Set<string>>();
  /** The end of each past epoch that listened, until which its values were valid. */
  readonly #epochEnds = new Map<number, number>();

  constructor(
    private readonly changeListener: Pick<
      ChangeListener,
      'epoch' | 'isListening' | 'notificationCount' | 'current' | 'onLost'
    >,
    private readonly clock: Clock,
    private readonly query: (key: string) => Promise<V | null>,
    private readonly options: Options<V>,
  ) {
    this.#entries = new LRUCache<string, Entry<V>>({
      maxSize: options.bytes,
      sizeCalculation: ({ value }, key) => options.sizeOf(value) + key.length + 150,
      dispose: ({ value }, key) => this.#forgetSubjects(value, key),
      noDisposeOnSet: true,
    });
    changeListener.onLost((epoch) => this.#epochEnded(epoch));
  }

  /** Returns a valid value, or undefined if the database must be queried. */
  peek(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry?.epoch !== this.changeListener.epoch || !this.changeListener.current) return undefined;
    this.counts.hits++;
    return entry.value;
  }

  /**
   * Queries the database, after `peek` returned undefined. Returns null if the key does not exist.
   * @throws the error of the database if no stale value can be served
   */
  async find(key: string): Promise<V | null> {
    this.counts.misses++;
    const entry = this.#entries.get(key);
    const lastKnown = entry && this.#mayServe(entry) ? entry : undefined;
    if (!lastKnown) return this.#lookUp(key);
    const { circuitBreaker } = this.options;
    if (!circuitBreaker.allowsRequest()) return this.#serveStale(lastKnown);
    try {
      const answer = await Promise.race([this.#lookUp(key), lookupTimeout()]);
      circuitBreaker.recordSuccess();
      return answer;
    } catch (error) {
      if (isUnavailable(error)) {
        circuitBreaker.recordFailure();
        return this.#serveStale(lastKnown);
      }
      circuitBreaker.recordSuccess();
      throw error;
    }
  }

  evict(key: string): void {
    if (this.#entries.delete(key)) this.counts.evictions++;
  }

  evictSubject(subject: string): void {
    const keys = this.#keysOf.get(subject);
    if (keys === undefined) return;
    for (const key of typeof keys === 'string' ? [keys] : [...keys]) this.evict(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Joins a recent query for the same key, unless a notification arrived since. */
  #lookUp(key: string): Promise<V | null> {
    const { notificationCount, epoch } = this.changeListener;
    const startedAt = performance.now();
    const pending = this.#pending.get(key);
    if (pending?.notificationCount === notificationCount && startedAt - pending.startedAt < joinWindowMs)
      return pending.answer;
    const fetchedAt = this.clock.now();
    const answer = this.query(key)
      .then((value) => {
        if (this.changeListener.notificationCount !== notificationCount || this.changeListener.epoch !== epoch)
          return value;
        if (value === null) this.#entries.delete(key);
        else this.#keep(key, { value, epoch, fetchedAt });
        return value;
      })
      .finally(() => {
        if (this.#pending.get(key)?.answer === answer) this.#pending.delete(key);
      });
    this.#pending.set(key, { answer, startedAt, notificationCount });
    return answer;
  }

  #keep(key: string, entry: Entry<V>): void {
    const before = this.#entries.peek(key);
    if (before) this.#forgetSubjects(before.value, key);
    this.#entries.set(key, entry);
    if (!this.#entries.has(key)) return; // larger than the whole cache
    for (const subject of this.options.subjectsOf(entry.value)) {
      const keys = this.#keysOf.get(subject);
      if (keys === undefined) this.#keysOf.set(subject, key);
      else if (typeof keys !== 'string') keys.add(key);
      else if (keys !== key) this.#keysOf.set(subject, new Set([keys, key]));
    }
  }

  #forgetSubjects(value: V, key: string): void {
    for (const subject of this.options.subjectsOf(value)) {
      const keys = this.#keysOf.get(subject);
      if (keys === key) this.#keysOf.delete(subject);
      else if (keys instanceof Set && keys.delete(key) && keys.size === 0) this.#keysOf.delete(subject);
    }
  }

  #serveStale(entry: Entry<V>): V {
    this.counts.stale++;
    return entry.value;
  }

  #mayServe({ epoch, fetchedAt }: Entry<V>): boolean {
    const now = this.clock.now();
    const isNotified = epoch === this.changeListener.epoch && this.changeListener.isListening;
    const validUntil = isNotified ? now : Math.max(fetchedAt, this.#epochEnds.get(epoch) ?? 0);
    return now - validUntil < staleTtlMs;
  }

  #epochEnded(epoch: number): void {
    const now = this.clock.now();
    for (const [other, end] of this.#epochEnds) if (now - end > staleTtlMs) this.#epochEnds.delete(other);
    if (this.changeListener.isListening) this.#epochEnds.set(epoch, now);
  }
}

async function lookupTimeout(): Promise<never> {
  await sleep(lookupTimeoutMs, undefined, { ref: false });
  throw new DeadlineExceeded('the look-up took longer than a second, and a stale value exists');
}
