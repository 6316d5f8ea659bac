import { LRUCache } from 'lru-cache';
import { refused, Rule, wrongType } from '../../shared/rule';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Excludes offsets such as `+01:00`, which some versions of Node accept as time zones. */
const name = /^[A-Za-z][A-Za-z0-9_+-]{0,30}(?:\/[A-Za-z][A-Za-z0-9_+-]{0,30}){0,2}$/;

/** Caches formats, because constructing one takes time. The cache is bounded, because each takes kilobytes. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
    return format;
  } catch {
    return null; // RangeError: the zone is unknown
  }
}

/** A zone of the IANA time zone database in Node. Moments are milliseconds since 1970 (UTC). */
export class TimeZone {
  private constructor(
    readonly name: string,
    private readonly format: Intl.DateTimeFormat,
  ) {}

  /** Returns null if the zone is unknown. */
  static named(zone: string): TimeZone | null {
    const format = name.test(zone) ? formatOf(zone) : null;
    return format && new TimeZone(zone, format);
  }

  /** Returns the milliseconds that the zone's clocks are ahead of UTC. */
  offsetAt(moment: number): number {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(this.format.format(moment))!;
    if (sign === undefined) return 0;
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
  }

  /** Returns the number of the zone's calendar day, from 1970-01-01 as 0. */
  dayAt(moment: number): number {
    return Math.floor((moment + this.offsetAt(moment)) / day);
  }

  /** Formats the moment as a date-time of RFC 3339 with offset. */
  write(moment: number): string {
    const offset = this.offsetAt(moment);
    const local = new Date(moment + offset).toISOString();
    if (offset === 0) return local;
    const minutes = Math.abs(offset) / minute;
    const two = (number: number) => String(number).padStart(2, '0');
    return `${local.slice(0, -1)}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  }
}

export const timeZone = new Rule<TimeZone>({ type: 'string', default: 'UTC' }, (value) => {
  if (typeof value !== 'string') return wrongType('string');
  const zone = TimeZone.named(value);
  return zone
    ? { value: zone }
    : refused('invalid_format', 'must be a time zone of the IANA database such as Europe/Berlin');
});
