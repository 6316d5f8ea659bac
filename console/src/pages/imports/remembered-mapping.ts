import { type Choice, leftOut, reported } from './column-mapping';
import { paramPrefix, targets } from './column-targets';

const storageKey = 'signpost.import-mappings';
/** The oldest is forgotten. */
const maxMappings = 20;

/** The choices of a set of columns by their names. */
type Mapping = Record<string, Choice>;

/** Returns the mapping that was sent last for a set of columns, in any order; or null. */
export function rememberedMapping(columns: readonly string[]): Choice[] | null {
  const match = stored().find((mapping) => hasColumns(mapping, columns));
  return match ? columns.map((column) => match[column]!) : null;
}

export function rememberMapping(columns: readonly string[], choices: readonly Choice[]): void {
  const mapping = Object.fromEntries(columns.map((column, at) => [column, choices[at] ?? reported]));
  const others = stored().filter((other) => !hasColumns(other, columns));
  try {
    localStorage.setItem(storageKey, JSON.stringify([mapping, ...others].slice(0, maxMappings)));
  } catch {
    // The storage is full or switched off. The next import is proposed anew.
  }
}

function hasColumns(mapping: Mapping, columns: readonly string[]): boolean {
  return Object.keys(mapping).length === columns.length && columns.every((column) => Object.hasOwn(mapping, column));
}

/** Reads the storage. Another release or person may have written anything. */
function stored(): Mapping[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(read) ? read.filter(isMapping) : [];
  } catch {
    return [];
  }
}

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && Object.values(value).every(isChoice);

const isChoice = (value: unknown): value is Choice =>
  typeof value === 'string' &&
  (value === reported ||
    value === leftOut ||
    value.startsWith(paramPrefix) ||
    targets.some((target) => target === value));
