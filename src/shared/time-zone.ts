import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { describedPattern, refused, Rule, wrongType } from './rule';

/** Names of the IANA time zone database; Temporal and some versions of Node also take offsets such as `+01:00`. */
const name = /^[A-Za-z][A-Za-z0-9_+-]{0,30}(?:\/[A-Za-z][A-Za-z0-9_+-]{0,30}){0,2}$/;

/** Node's names of zones by the caller's spelling. Measured: a look-up by Node takes 50 µs. */
const canonicalNames = new LRUCache<string, string>({ max: 1000 });

function canonicalName(zone: string): string | null {
  const cached = canonicalNames.get(zone);
  if (cached !== undefined) return cached;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions();
    canonicalNames.set(zone, timeZone);
    return timeZone;
  } catch {
    return null; // RangeError: unknown time zone
  }
}

interface Offset {
  readonly from: number;
  /** Infinity if Node knows of no later change. */
  readonly to: number;
  readonly ms: number;
  /** As RFC 3339 writes it. */
  readonly text: string;
}

/** A zone of the IANA time zone database, as Node knows it. Moments are milliseconds since 1970 (UTC). */
export class TimeZone {
  /** The last result of `offsetAt`, because most moments of a window share it. */
  #offset: Offset = { from: NaN, to: NaN, ms: 0, text: '' };

  private constructor(
    /** As the caller spelled it. */
    readonly name: string,
    private readonly canonicalName: string,
  ) {}

  /** Returns null if Node does not know the zone. */
  static named(zone: string): TimeZone | null {
    const canonical = name.test(zone) ? canonicalName(zone) : null;
    return canonical === null ? null : new TimeZone(zone, canonical);
  }

  dateAt(moment: number): Temporal.PlainDate {
    return this.#at(moment).toPlainDate();
  }

  /** Returns the first moment of the day, or of the next one if the calendar of the zone skips the day. */
  startOf(day: Temporal.PlainDate): number {
    return day.toZonedDateTime(this.canonicalName).epochMilliseconds;
  }

  /** Returns the offset from UTC at the moment and when the clocks change next. */
  offsetAt(moment: number): Offset {
    if (!(moment >= this.#offset.from && moment < this.#offset.to)) {
      const local = this.#at(moment);
      this.#offset = {
        from: moment,
        to: local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
        ms: local.offsetNanoseconds / 1e6,
        text: local.offset === '+00:00' ? 'Z' : local.offset,
      };
    }
    return this.#offset;
  }

  /** Formats a date-time of RFC 3339 with its offset. */
  write(moment: number): string {
    const { ms, text } = this.offsetAt(moment);
    return new Date(moment + ms).toISOString().replace('Z', text);
  }

  #at(moment: number): Temporal.ZonedDateTime {
    return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(this.canonicalName);
  }
}

export const timeZone = new Rule<TimeZone>(
  { type: 'string', default: 'UTC', pattern: describedPattern(name) },
  (value) => {
    if (typeof value !== 'string') return wrongType('string');
    const zone = TimeZone.named(value);
    return zone
      ? { value: zone }
      : refused('invalid_format', 'must be a time zone of the IANA database such as Europe/Berlin');
  },
);
