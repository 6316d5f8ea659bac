import { changedFields } from '../../components/changed-fields';
import type { AppValues } from './platform';

/** Returns whether the service stores the values that were sent like the current ones. */
export const isSameApp = <Values extends AppValues>(sent: Values, current: Values): boolean =>
  changedFields(storedApp(current), storedApp(sent)).length === 0;

/** Returns values as the service stores them: fingerprints in upper case, lists without duplicates, texts without outer spaces. */
const storedApp = (values: AppValues): object =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, storedValue(field, value)]));

function storedValue(field: string, value: unknown): unknown {
  if (field === 'sha_fingerprints') return [...new Set(fingerprintsIn(String(value).toUpperCase()))];
  if (Array.isArray(value)) return [...new Set<unknown>(value)];
  if (typeof value === 'object') return storedApp(value as AppValues);
  return typeof value === 'string' ? value.trim() : value;
}

/** Returns the fingerprints of a text with one per line, or with commas. */
export const fingerprintsIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
