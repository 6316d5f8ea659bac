import {
  type Interval,
  intervals,
  maxWindowDays,
  piecesOf,
  windowOf,
} from '../../../src/clicks/statistics/statistics-window';
import { TimeZone } from '../../../src/shared/time-zone';
import { InvalidInput } from '../../../src/shared/problem';
import { fc, runs } from '../../support/properties';
import { words } from '../../support/words';

const quarter = 15 * 60_000;
const day = 24 * 60 * 60_000;
const now = Date.parse('2026-11-21T10:07:30Z');
const utc = TimeZone.named('UTC')!;

/** Returns the start of each part, and the end of the last one. */
function partBounds(from: string | undefined, to: string | undefined, interval: Interval, zoneName = 'UTC'): string[] {
  const zone = TimeZone.named(zoneName)!;
  const asked = { from: from && Date.parse(from), to: to === undefined ? now : Date.parse(to), interval, zone };
  const window = windowOf(asked as Parameters<typeof windowOf>[0]);
  return [...window.starts, window.to].map((moment) => zone.write(moment).replace(':00.000', ''));
}

test.each<[string, string, string, string, Interval, string[]]>([
  [
    'a change at a minute past midnight',
    'America/St_Johns',
    '2006-04-02T02:30Z',
    '2006-04-02T05:00Z',
    'hour',
    [
      ...['2006-04-01T23:00-03:30', '2006-04-02T00:00-03:30', '2006-04-02T01:15-02:30', '2006-04-02T02:00-02:30'],
      '2006-04-02T02:30-02:30',
    ],
  ],
  [
    'none that was left out of the calendar',
    'Pacific/Apia',
    '2011-12-29T10:00Z',
    '2011-12-31T10:00Z',
    'day',
    ['2011-12-29T00:00-10:00', '2011-12-31T00:00+14:00', '2012-01-01T00:00+14:00'],
  ],
])('days with a change of the clocks: %s: %s', (_, zone, from, to, interval, expected) => {
  expect(partBounds(from, to, interval, zone)).toEqual(expected);
});

test('both ends move outwards to the quarter of an hour', () => {
  expect(partBounds('2026-06-01T10:14:59.999Z', '2026-06-01T10:45:00.001Z', 'hour')).toEqual([
    '2026-06-01T10:00Z',
    '2026-06-01T11:00Z',
  ]);
});

describe('without from or to', () => {
  test.each<[Interval, string, string, number]>([
    ['hour', 'UTC', '2026-10-22T10:00Z', 721],
    ['day', 'UTC', '2026-10-22T00:00Z', 31],
    ['day', 'Asia/Kolkata', '2026-10-22T00:00+05:30', 31],
    ['week', 'UTC', '2026-10-19T00:00Z', 5],
    ['month', 'America/New_York', '2026-10-01T00:00-04:00', 2],
  ])('by %s in %s: from %s on, until now', (interval, zone, first, parts) => {
    const all = partBounds(undefined, undefined, interval, zone);
    expect([all[0], all.length - 1]).toEqual([first, parts]);
    expect(Date.parse(all.at(-1)!)).toBe(Date.parse('2026-11-21T10:15Z'));
  });

  test('until then', () => {
    expect(partBounds(undefined, '2026-03-31T12:00Z', 'day').slice(0, 1)).toEqual(['2026-03-01T00:00Z']);
    expect(partBounds('2026-11-21T10:00Z', undefined, 'day')).toEqual(['2026-11-21T10:00Z', '2026-11-21T10:15Z']);
  });
});

test.each<[string | undefined, string | undefined, Interval]>([
  ['2026-06-01T00:00Z', '2026-06-01T00:00Z', 'day'],
  ['2026-06-01T00:00:00.001Z', '2026-06-01T00:00Z', 'day'],
  ['2026-11-21T10:07:30Z', undefined, 'day'],
  ['2026-06-01T00:00Z', '2026-07-06T00:00:00.001Z', 'hour'],
  ['2025-01-01T00:00Z', '2026-02-05T00:00:00.001Z', 'day'],
  ['2000-01-01T00:00Z', '2099-01-01T00:00Z', 'month'],
])('from %s to %s by %s is refused', (from, to, interval) => {
  expect(() => partBounds(from, to, interval)).toThrow(InvalidInput);
});

test('accepts the longest windows', () => {
  for (const interval of intervals) {
    const to = Date.parse('2026-06-01T00:00Z');
    const from = to - maxWindowDays[interval] * day;
    expect(windowOf({ from, to, interval, zone: utc })).toMatchObject({ from, to });
  }
});

/** Returns the same starts, read from the calendar of the zone at each quarter of an hour. */
function byCalendar(from: number, to: number, interval: Interval, zone: string): number[] {
  const calendar = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    timeZoneName: 'longOffset',
  });
  const shown = (moment: number): string => {
    const parts = Object.fromEntries(calendar.formatToParts(moment).map(({ type, value }) => [type, value]));
    const date = `${parts['year']}-${parts['month']}-${parts['day']}`;
    if (interval === 'hour') return `${date} ${parts['hour']} ${parts['timeZoneName']}`;
    if (interval === 'day') return date;
    if (interval === 'month') return date.slice(0, 7);
    const sinceMonday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts['weekday']!);
    return new Date(Date.parse(date) - sinceMonday * day).toISOString();
  };
  const starts: number[] = [];
  let before = '';
  for (let moment = from; moment < to; moment += quarter) {
    const label = shown(moment);
    if (label !== before) starts.push(moment);
    before = label;
  }
  return starts;
}

const zones = words(`
  UTC Europe/Berlin America/New_York America/St_Johns Asia/Kolkata Asia/Kathmandu Asia/Tehran Australia/Lord_Howe
  Pacific/Chatham Pacific/Kiritimati Pacific/Apia Africa/Cairo Asia/Beirut America/Havana America/Sao_Paulo
  Atlantic/Azores Africa/Casablanca Asia/Pyongyang Etc/GMT+12
`);

test('parts are what the calendar of the zone shows, in every zone and at any time', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...intervals),
      fc.integer({ min: Date.UTC(2005) / quarter, max: Date.UTC(2035) / quarter }),
      fc.integer({ min: 1, max: 30 * 96 }),
      (zone, interval, begin, quarters) => {
        const [from, to] = [begin * quarter, (begin + quarters) * quarter];
        const { starts } = windowOf({ from, to, interval, zone: TimeZone.named(zone)! });
        expect([zone, interval, ...starts]).toEqual([zone, interval, ...byCalendar(from, to, interval, zone)]);
      },
    ),
    runs(200),
  );
});

test('the pieces of each part add up to its quarters of an hour', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...intervals),
      fc.integer({ min: Date.UTC(2026) / quarter, max: Date.UTC(2027) / quarter }),
      fc.integer({ min: 1, max: 35 * 96 }),
      (zone, interval, begin, length) => {
        const to = (begin + length) * quarter;
        const { starts } = windowOf({ from: begin * quarter, to, interval, zone: TimeZone.named(zone)! });
        const { days, quarters } = piecesOf({ to, starts });
        const parts = starts.map(() => new Map<number, number>());
        const add = ({ period, part, first, last, sign }: (typeof days)[number], perUnit: number) => {
          const start = Date.parse(period) / quarter + (first - 1) * perUnit;
          for (let at = start; at < start + (last - first + 1) * perUnit; at++)
            parts[part - 1]!.set(at, (parts[part - 1]!.get(at) ?? 0) + sign);
        };
        for (const piece of days) add(piece, 96);
        for (const piece of quarters) add(piece, 1);
        for (const [at, part] of parts.entries()) {
          const [from, until] = [starts[at]! / quarter, (starts[at + 1] ?? to) / quarter];
          const counted = [...part].filter(([, times]) => times !== 0).sort(([one], [other]) => one - other);
          expect(counted).toEqual(Array.from({ length: until - from }, (_, after) => [from + after, 1]));
        }
      },
    ),
    runs(100),
  );
});

test('every change of the clocks of a year, in every zone', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) {
    const zone = TimeZone.named(name)!;
    for (let moment = Date.UTC(2026); moment < Date.UTC(2027); moment += day) {
      if (zone.offsetAt(moment).ms === zone.offsetAt(moment + day).ms) continue;
      const [from, to] = [moment - day, moment + 2 * day];
      for (const interval of ['hour', 'day'] as const)
        expect([name, ...windowOf({ from, to, interval, zone }).starts]).toEqual([
          name,
          ...byCalendar(from, to, interval, name),
        ]);
    }
  }
});

test.each(words('Europe/Berlin europe/berlin UTC GMT Etc/GMT+5 America/Argentina/Buenos_Aires EST5EDT PST'))(
  '%s is a time zone',
  (name) => {
    expect(TimeZone.named(name)?.name).toBe(name);
  },
);

test.each([
  ...words('Mars/Olympus Europe Europe/ /Europe/Berlin +01:00 -0800 01:00 Z ../../etc/passwd __proto__ undefined'),
  ...['', ' ', 'Europe/Berlin ', 'Europe/Berlin\0', 'a'.repeat(10_000)],
])('%j is not a time zone', (name) => {
  expect(TimeZone.named(name)).toBeNull();
});
