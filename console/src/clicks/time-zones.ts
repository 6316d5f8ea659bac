/** The reader's zone. */
export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the names of all zones, the reader's and the chosen one first. Of zones with several names, the list has one. */
export const timeZones = (chosen = ownTimeZone): string[] => [
  ...new Set([ownTimeZone, chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')]),
];

/** Returns whether a zone has the name, also a former one such as Europe/Kiev. The service refuses offsets such as +01:00. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
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

/**
 * Returns the moment at which clocks of the zone show a time, which is given as if it were in UTC. For a time that clocks skip,
 * it is one after the change, so that a day without a midnight begins with its first hour.
 */
function momentOf(local: number, timeZone: string): number {
  // The offset can differ from the one a little later or earlier, where clocks change in between.
  const guess = local - offsetMs(local, timeZone);
  const moment = local - offsetMs(guess, timeZone);
  return moment + offsetMs(moment, timeZone) < local ? guess : moment;
}

/** Returns the moment at which clocks of the zone showed the same time, some days earlier. */
export const timeOnDay = (moment: number, timeZone: string, daysEarlier: number): number =>
  momentOf(moment + offsetMs(moment, timeZone) - daysEarlier * dayMs, timeZone);

/** Returns the moment at which the day of the zone began, some days earlier. */
export function startOfDay(moment: number, timeZone: string, daysEarlier = 0): number {
  const local = moment + offsetMs(moment, timeZone) - daysEarlier * dayMs;
  return momentOf(Math.floor(local / dayMs) * dayMs, timeZone);
}

/** Returns the moment at which a day such as `2026-06-01` began in the zone. */
export const startOf = (day: string, timeZone: string): number => momentOf(Date.parse(day), timeZone);

/** Returns the day in the zone at a moment, such as `2026-06-01`. */
export const dayAt = (moment: number, timeZone: string): string =>
  new Date(moment + offsetMs(moment, timeZone)).toISOString().slice(0, 10);
