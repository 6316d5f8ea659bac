import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';
import type { ChangeListener } from './change-listener';
import { DeadlineExceeded, isUnavailable } from './database-error';
import type { CircuitBreaker } from '../../shared/circuit-breaker';

/** Milliseconds that the last known answer is served for while the database cannot be asked (an hour of outage is survived). */
const staleTtlMs = 60 * 60_000;

/** Milliseconds that the database gets to answer where the last known answer could be served instead. */
const lookupTimeoutMs = 1000;

/** Milliseconds in which a look-up under way is joined. */
const joinWindowMs = 250;

interface Entry<V> {
  value: V;
  epoch: number;
  /** When it was learnt, by the clock. */
  fetchedAt: number;
}

interface PendingLookup<V> {
  answer: Promise<V | null>;
  at: number;
  /** Announcements heard when it was asked. */
  notificationCount: number;
}

export interface CacheCounts {
  hits: number;
  misses: number;
  evictions: number;
  /** Answers given out of memory because the database did not answer. */
  stale: number;
}

interface Options<V> {
  /** What it may take, by `sizeOf`. */
  bytes: number;
  sizeOf: (value: V) => number;
  /** What a value tells of, for `evictSubject`. */
  subjectOf: (value: V) => string;
  /** Shared by the caches of one database. */
  circuitBreaker: CircuitBreaker;
}

/**
 * Remembers what the database answered for as long as announcements keep it true. While they cannot be heard every look-up
 * goes to the database; when that fails too, the last known answer is given, for up to an hour. That something is missing is
 * never remembered.
 */
export class NotifyInvalidatedCache<V extends object> {
  readonly counts: CacheCounts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #pending = new Map<string, PendingLookup<V>>();
  /** Keys by the thing that their values tell of. */
  readonly #keysOf = new Map<string, string | Set<string>>();
  /** When an epoch ended, by the clock: until then what was learnt in it was true. */
  readonly #epochEnds = new Map<number, number>();

  /**
   * @param ask the database, for one key
   */
  constructor(
    private readonly changeListener: Pick<ChangeListener, 'epoch' | 'notificationCount' | 'current' | 'onLost'>,
    private readonly clock: Clock,
    private readonly ask: (key: string) => Promise<V | null>,
    private readonly options: Options<V>,
  ) {
    this.#entries = new LRUCache<string, Entry<V>>({
      maxSize: options.bytes,
      sizeCalculation: ({ value }, key) => options.sizeOf(value) + key.length + 150,
      dispose: ({ value }, key) => this.#forgetSubject(options.subjectOf(value), key),
      noDisposeOnSet: true,
    });
    changeListener.onLost((epoch) => this.#epochEnded(epoch));
  }

  /** What is known to be true now; undefined where the database must be asked. */
  peek(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry?.epoch !== this.changeListener.epoch || !this.changeListener.current) return undefined;
    this.counts.hits++;
    return entry.value;
  }

  /**
   * For when `peek` knows nothing. Null where there is no such thing.
   * @throws what the database throws, when there is no last known answer either
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

  /** Evicts all values that tell of it. */
  evictSubject(subject: string): void {
    const keys = this.#keysOf.get(subject);
    if (keys === undefined) return;
    for (const key of typeof keys === 'string' ? [keys] : [...keys]) this.evict(key);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Visitors who come while the database is being asked for the same thing wait for that answer, if it is as fresh. */
  #lookUp(key: string): Promise<V | null> {
    const { notificationCount, epoch } = this.changeListener;
    const at = performance.now();
    const pending = this.#pending.get(key);
    if (pending?.notificationCount === notificationCount && at - pending.at < joinWindowMs) return pending.answer;
    const fetchedAt = this.clock.now();
    const answer = this.ask(key)
      .then((value) => {
        // Had something been announced meanwhile, the answer might be from before it.
        if (this.changeListener.notificationCount !== notificationCount || this.changeListener.epoch !== epoch)
          return value;
        if (value === null) this.#entries.delete(key);
        else this.#keep(key, { value, epoch, fetchedAt });
        return value;
      })
      .finally(() => {
        if (this.#pending.get(key)?.answer === answer) this.#pending.delete(key);
      });
    this.#pending.set(key, { answer, at, notificationCount });
    return answer;
  }

  #keep(key: string, entry: Entry<V>): void {
    const before = this.#entries.peek(key);
    if (before) this.#forgetSubject(this.options.subjectOf(before.value), key);
    this.#entries.set(key, entry);
    if (!this.#entries.has(key)) return; // larger than the whole cache
    const subject = this.options.subjectOf(entry.value);
    const keys = this.#keysOf.get(subject);
    if (keys === undefined) this.#keysOf.set(subject, key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) this.#keysOf.set(subject, new Set([keys, key]));
  }

  #forgetSubject(subject: string, key: string): void {
    const keys = this.#keysOf.get(subject);
    if (keys === key) this.#keysOf.delete(subject);
    else if (keys instanceof Set && keys.delete(key) && keys.size === 0) this.#keysOf.delete(subject);
  }

  #serveStale(entry: Entry<V>): V {
    this.counts.stale++;
    return entry.value;
  }

  #mayServe({ epoch, fetchedAt }: Entry<V>): boolean {
    const now = this.clock.now();
    const validUntil = epoch === this.changeListener.epoch ? now : Math.max(fetchedAt, this.#epochEnds.get(epoch) ?? 0);
    return now - validUntil < staleTtlMs;
  }

  #epochEnded(epoch: number): void {
    const now = this.clock.now();
    for (const [other, end] of this.#epochEnds) if (now - end > staleTtlMs) this.#epochEnds.delete(other);
    this.#epochEnds.set(epoch, now);
  }
}

async function lookupTimeout(): Promise<never> {
  await sleep(lookupTimeoutMs, undefined, { ref: false });
  throw new DeadlineExceeded('the look-up takes longer than the last known answer is worth waiting');
}
