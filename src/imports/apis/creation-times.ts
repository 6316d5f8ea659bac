import type { SourceRecord } from '../sources/import-source';

/** Returns the time of creation in milliseconds, from the field of this name; null if it is not known. */
export function creationTimeOf(record: SourceRecord | undefined, field: string): number | null {
  const time = Date.parse(String(record?.[field]));
  return Number.isNaN(time) ? null : time;
}

/**
 * Counts the records that are not newer than the list was at its beginning. New links must not stand for those that a deletion has
 * moved to a page that was read already.
 * @param newest time of creation at the beginning; null if it is not known, so that all records count
 */
export const countUntil = (newest: number | null, records: readonly SourceRecord[], field: string): number =>
  records.filter((record) => (creationTimeOf(record, field) ?? -Infinity) <= (newest ?? Infinity)).length;
