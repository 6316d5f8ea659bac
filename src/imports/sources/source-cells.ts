import { readJson } from '../../platform/http/json-limits';
import type { SourceRecord } from './import-source';
import { isObject } from '../../shared/is-object';

export interface Cell {
  readonly field: string;
  readonly value: unknown;
}

/** Returns the form in which names are compared: `Short link`, `short_link` and `shortLink` are one name. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns a stricter form, in which signs such as `%` count. */
export const looseKey = (name: string): string => name.toLowerCase().replaceAll(/[\s._-]/g, '');

/** Returns whether a value holds nothing: it is absent, blank, or an empty list or object. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Returns whether a cell of CSV has what programs write in place of nothing: `null`, `undefined`, or `\N` of databases. */
export const isWrittenNull = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*(?:null|undefined|\\n)\s*$/i.test(value);

/** In characters, so that a report about a cell of megabytes stays readable. */
const maxReportedLength = 1000;

export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\u{fffd}');

const short = (text: string, max: number): string =>
  text.length <= max ? storable(text) : `${storable(text.slice(0, max))}… (${text.length} characters)`;

export const fieldText = (field: string): string => short(field, 200);

/** Returns a value for a report: text as it is, other types as JSON. */
export const valueText = (value: unknown): string =>
  short(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)), maxReportedLength);

const maxCellValues = 3000;

/**
 * Reads a cell that holds JSON of the wanted kind, because CSV has no other form for it. Returns the value otherwise, also if it nests
 * deeper or has more values than any field does.
 */
export function parseJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const reading = readJson(value, maxCellValues);
  return 'value' in reading ? reading.value : value;
}

export interface Nested {
  /** Tells which of its fields have their names alone. The others have the name of the object too: `meta.maxVisits`. */
  readonly inline?: (name: string) => boolean;
}

/** Lists the cells of a record that hold a value, those of nested objects included. */
export function cellsOf(record: SourceRecord, nested: ReadonlyMap<string, Nested> = new Map()): Cell[] {
  return Object.entries(record).flatMap(([field, value]): Cell[] => {
    const inside = nested.get(nameKey(field));
    const object = inside && parseJson(value);
    if (!inside || !isObject(object)) return [{ field, value }];
    return Object.entries(object).map(([name, inner]) => ({
      field: inside.inline?.(name) ? name : `${field}.${name}`,
      value: inner,
    }));
  });
}
