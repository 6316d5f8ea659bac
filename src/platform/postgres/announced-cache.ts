import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock';
import type { Announcements } from './announcements';
import { DeadlinePassed, isUnavailable } from './database-error';
import type { Outage } from '../../shared/outage';

/** Milliseconds that the last known answer is served for while the database cannot be asked (an hour of outage is survived). */
const outlives = 60 * 60_000;

/** Milliseconds that the database gets to answer where the last known answer could be served instead. */
const patience = 1000;

/** Milliseconds in which a look-up under way is joined. */
const joinable = 250;

interface Kept<V> {
  value: V;
  epoch: number;
  /** When it was learnt, by the clock. */
  learntAt: number;
}

interface Asked<V> {
  answer: Promise<V | null>;
  at: number;
  /** Announcements heard when it was asked. */
  heard: number;
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
  outage: Outage;
}

/**
 * Remembers what the database answered for as long as announcements keep it true. While they cannot be heard every look-up
 * goes to the database; when that fails too, the last known answer is given, for up to an hour. That something is missing is
 * never remembered.
 */
export class AnnouncedCache<V extends object> {
  readonly counts: CacheCounts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #kept: LRUCache<string, Kept<V>>;
  readonly #asked = new Map<string, Asked<V>>();
  /** Keys by the thing that their values tell of. */
  readonly #keysOf = new Map<string, string | Set<string>>();
  /** When an epoch ended, by the clock: until then what was learnt in it was true. */
  readonly #ends = new Map<number, number>();

  /**
   * @param ask the database, for one key
   */
  constructor(
    private readonly announcements: Pick<Announcements, 'epoch' | 'heard' | 'current' | 'onLost'>,
    private readonly clock: Clock,
    private readonly ask: (key: string) => Promise<V | null>,
    private readonly options: Options<V>,
  ) {
    this.#kept = new LRUCache<string, Kept<V>>({
      maxSize: options.bytes,
      sizeCalculation: ({ value }, key) => options.sizeOf(value) + key.length + 150,
      dispose: ({ value }, key) => this.#forgetSubject(options.subjectOf(value), key),
      noDisposeOnSet: true,
    });
    announcements.onLost((epoch) => this.#epochEnded(epoch));
  }

  /** What is known to be true now; undefined where the database must be asked. */
  peek(key: string): V | undefined {
    const kept = this.#kept.get(key);
    if (kept?.epoch !== this.announcements.epoch || !this.announcements.current) return undefined;
    this.counts.hits++;
    return kept.value;
  }

  /**
   * For when `peek` knows nothing. Null where there is no such thing.
   * @throws what the database throws, when there is no last known answer either
   */
  async find(key: string): Promise<V | null> {
    this.counts.misses++;
    const kept = this.#kept.get(key);
    const lastKnown = kept && this.#mayServe(kept) ? kept : undefined;
    if (!lastKnown) return this.#look(key);
    const { outage } = this.options;
    if (!outage.admits()) return this.#serveStale(lastKnown);
    try {
      const answer = await Promise.race([this.#look(key), tooLate()]);
      outage.answered();
      return answer;
    } catch (error) {
      if (isUnavailable(error)) {
        outage.failed();
        return this.#serveStale(lastKnown);
      }
      outage.answered();
      throw error;
    }
  }

  evict(key: string): void {
    if (this.#kept.delete(key)) this.counts.evictions++;
  }

  /** Evicts all values that tell of it. */
  evictSubject(subject: string): void {
    const keys = this.#keysOf.get(subject);
    if (keys === undefined) return;
    for (const key of typeof keys === 'string' ? [keys] : [...keys]) this.evict(key);
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Visitors who come while the database is being asked for the same thing wait for that answer, if it is as fresh. */
  #look(key: string): Promise<V | null> {
    const { heard, epoch } = this.announcements;
    const at = performance.now();
    const asked = this.#asked.get(key);
    if (asked?.heard === heard && at - asked.at < joinable) return asked.answer;
    const learntAt = this.clock.now();
    const answer = this.ask(key)
      .then((value) => {
        // Had something been announced meanwhile, the answer might be from before it.
        if (this.announcements.heard !== heard || this.announcements.epoch !== epoch) return value;
        if (value === null) this.#kept.delete(key);
        else this.#keep(key, { value, epoch, learntAt });
        return value;
      })
      .finally(() => {
        if (this.#asked.get(key)?.answer === answer) this.#asked.delete(key);
      });
    this.#asked.set(key, { answer, at, heard });
    return answer;
  }

  #keep(key: string, kept: Kept<V>): void {
    const before = this.#kept.peek(key);
    if (before) this.#forgetSubject(this.options.subjectOf(before.value), key);
    this.#kept.set(key, kept);
    if (!this.#kept.has(key)) return; // larger than the whole cache
    const subject = this.options.subjectOf(kept.value);
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

  #serveStale(kept: Kept<V>): V {
    this.counts.stale++;
    return kept.value;
  }

  #mayServe({ epoch, learntAt }: Kept<V>): boolean {
    const now = this.clock.now();
    const trueUntil = epoch === this.announcements.epoch ? now : Math.max(learntAt, this.#ends.get(epoch) ?? 0);
    return now - trueUntil < outlives;
  }

  #epochEnded(epoch: number): void {
    const now = this.clock.now();
    for (const [other, end] of this.#ends) if (now - end > outlives) this.#ends.delete(other);
    this.#ends.set(epoch, now);
  }
}

async function tooLate(): Promise<never> {
  await sleep(patience, undefined, { ref: false });
  throw new DeadlinePassed('the look-up takes longer than the last known answer is worth waiting');
}
