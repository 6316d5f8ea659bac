import { dayMs } from '../recording/click';
import { isCalendarDay } from '../../shared/date-time';
import { InvalidInput } from '../../shared/problem';
import { describedPattern, refused, Rule, wrongType } from '../../shared/rule';

export const maxPeriodDays = 35;

export const defaultPeriodDays = 1;

/** Milliseconds since 1970 (UTC). `from` is included, and `to` is not. */
export interface ClickPeriod {
  from: number;
  to: number;
}

/** @throws InvalidInput if the period is empty or too long */
export function clickPeriodOf({ from: start, to }: { from: number | undefined; to: number }): ClickPeriod {
  const from = start ?? to - defaultPeriodDays * dayMs;
  if (from >= to) throw refusedFrom('from must be before to');
  if (to - from > maxPeriodDays * dayMs) throw refusedFrom(`from must be at most ${maxPeriodDays} days before to`);
  return { from, to };
}

const refusedFrom = (message: string): InvalidInput =>
  InvalidInput.because([{ code: 'too_big', path: ['from'], message }]);

export function dayBefore(moment: number): ClickPeriod {
  const to = moment - (moment % dayMs);
  return { from: to - dayMs, to };
}

const dateForm = /^20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/;

/** Reads a date such as `2026-11-22`, of the years 2000 to 2099, as the period of that day (UTC). */
export const utcDay = new Rule<ClickPeriod>(
  { type: 'string', format: 'date', pattern: describedPattern(dateForm) },
  (value) => {
    if (typeof value !== 'string') return wrongType('string');
    if (!dateForm.test(value) || !isCalendarDay(value))
      return refused('invalid_format', 'must be a date such as 2027-01-31');
    const from = Date.parse(value);
    return { value: { from, to: from + dayMs } };
  },
);
