/** The reader's zone. */
export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the names of all zones, the reader's first. */
export function timeZones(): string[] {
  return [...new Set([ownTimeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

const minuteMs = 60_000;

/** Returns the milliseconds that clocks in the zone are ahead of UTC at a moment. */
function offsetMs(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(moment / minuteMs) * minuteMs;
}

const dayMs = 24 * 60 * minuteMs;

/** Returns the moment at which the day of the zone began, some days earlier. */
export function startOfDay(moment: number, timeZone: string, daysEarlier = 0): number {
  const local = moment + offsetMs(moment, timeZone) - daysEarlier * dayMs;
  const midnight = Math.floor(local / dayMs) * dayMs;
  // The offset at midnight can differ from the one at the moment, where clocks changed in between.
  const guess = midnight - offsetMs(moment, timeZone);
  return midnight - offsetMs(guess, timeZone);
}
