import type { Reader } from './field-readers';
import type { ImportOptions } from './import-source';
import type { LinkDraft, MomentTarget } from './link-draft';
import type { Cell } from './source-cells';
import { acceptedTimes, isAmbiguousDate, readTime } from './source-time';

/** Reads a time of the link's life. Unlike the time of creation, it decides what visitors get, so that an unknown form is refused. */
export const momentTo =
  (target: MomentTarget): Reader =>
  (cell, draft) => {
    const time = timeOf(cell, draft);
    if (time) draft.set(target, time.toISOString(), cell);
    else if (isAmbiguousDate(cell.value)) draft.refuse(cell, ambiguousDate(draft.context.options));
    else draft.refuse(cell, `must be ${acceptedTimes}`);
  };

/** Returns the time of a cell by the time zone and the date format of the options; null for other forms. */
export const timeOf = (cell: Cell, draft: LinkDraft): Date | null => {
  const { time_zone: zone = 'UTC', date_format: format } = draft.context.options;
  return readTime(cell.value, zone, format);
};

/**
 * Reads the time of creation. One in an unknown form is reported, because the link works without it. A date with two meanings refuses
 * the record, so that its sender can name the format.
 */
export const createdAt: Reader = (cell, draft) => {
  const time = timeOf(cell, draft);
  if (!time && isAmbiguousDate(cell.value)) draft.refuse(cell, ambiguousDate(draft.context.options));
  else if (!time || !draft.createdAt(time)) draft.report(cell);
};

const ambiguousDate = ({ date_format: format = 'iso' }: ImportOptions): string =>
  format === 'iso'
    ? 'can begin with the day or the month, so set the option date_format to day_first or month_first'
    : `does not exist in the date_format ${format}; correct it, or write ${acceptedTimes}`;
