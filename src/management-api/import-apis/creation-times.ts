import type { SourceRecord } from '../import-sources/import-source';

/** Returns the time of creation in milliseconds, from the field of this name; NaN if it is not known. */
export const createdAt = (record: SourceRecord | undefined, field: string): number =>
  Date.parse(String(record?.[field]));

/**
 * Counts the records that are not newer than the list was at its beginning. New links must not stand for those that a deletion has
 * moved to a page that was read already.
 */
export const countUntil = (newest: number, records: readonly SourceRecord[], field: string): number =>
  records.filter((record) => !(createdAt(record, field) > newest)).length;
