import { isTimeZone } from './time-zones';

export const ranges = ['24h', '7d', '30d', '90d', '12m'] as const;
export type Range = (typeof ranges)[number];

/** The state of a page with clicks, which its address contains. */
export interface ClicksSearch {
  range?: Range;
  timezone?: string;
  bots?: true;
}

/** Reads the address. Values that it does not understand are left out. */
export function clicksSearch(raw: Record<string, unknown>): ClicksSearch {
  const range = ranges.find((one) => one === raw['range']);
  const zone = raw['timezone'];
  const timezone = typeof zone === 'string' && isTimeZone(zone) ? zone : undefined;
  return { ...(range && { range }), ...(timezone && { timezone }), ...(raw['bots'] === true && { bots: true }) };
}
