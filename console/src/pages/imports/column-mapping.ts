import { nameKey, otherNames, paramOf, paramPrefix, type Target, targets } from './column-targets';
import { areUrls, fits } from './value-forms';

/** The use of a column: a target, or one of the two below. */
export type Choice = string;
/** Its values are in the report, because they have no place. */
export const reported: Choice = '';
/** Its values are left out on purpose. */
export const leftOut: Choice = '-';

const maxColumns = 200;
const maxHeaderLength = 200;
const maxParamLength = 100;
/** The service reads so many characters of the options. The others of the address must fit into 16 kB with them. */
const maxOptionsLength = 8000;
const maxEncodedLength = 12_000;

export type ColumnFault = 'longHeader' | 'paramName';
export type MappingFault = 'nothing' | 'tooMany' | 'tooLong';

const targetOfKey = new Map(targets.map((target) => [nameKey(target), target]));

/** Returns the target whose name a column has. The service takes such a column without an entry. */
export const targetOfColumn = (column: string): Target | undefined => targetOfKey.get(nameKey(column));

/** Targets with other names whose values have another form: a column `Kurzlink` has addresses or paths. */
const insteadOf: readonly (readonly [target: Target, instead: Target])[] = [
  ['short_url', 'custom_path'],
  ['custom_path', 'short_url'],
  ['host', 'short_url'],
];

/** Returns the values of a column in the first rows. */
export const valuesAt = (rows: readonly string[][], at: number): string[] =>
  rows.map((cells) => cells[at]?.trim() ?? '').filter((value) => value !== '');

/** Proposes what each column becomes, by their names and their first values. */
export function proposal(columns: readonly string[], rows: readonly string[][]): Choice[] {
  const keys = columns.map(nameKey);
  const values = columns.map((_, at) => valuesAt(rows, at));
  const named = columns.map((column, at): Choice => targetOfColumn(column) ?? paramOf(keys[at]!) ?? reported);
  const choices = named.map((target, at) => (fits(target as Target, values[at]!) ? target : reported));
  // The second of two spellings has other values, such as a share in percent.
  const isFree = (at: number): boolean => choices[at] === reported && keys.indexOf(keys[at]!) === at;
  const take = (target: Target, names: readonly string[]): void => {
    if (choices.includes(target)) return;
    const at = names
      .map((name) => keys.findIndex((key, place) => key === name && isFree(place) && fits(target, values[place]!)))
      .find((place) => place >= 0);
    if (at !== undefined) choices[at] = target;
  };
  const names = new Map(otherNames);
  for (const [target, others] of otherNames) take(target, others);
  for (const [target, instead] of insteadOf) take(instead, [nameKey(target), ...names.get(target)!]);
  const [url, ...further] = [...columns.keys()].filter((at) => isFree(at) && areUrls(values[at]!));
  if (url !== undefined && further.length === 0 && !choices.includes('desktop_url')) choices[url] = 'desktop_url';
  // The service takes a column by its name, unless another choice is sent.
  return choices.map((choice, at) => (choice === reported ? named[at]! : choice));
}

/** Returns the option `columns` of the import. */
export function columnsOption(columns: readonly string[], choices: readonly Choice[]): Record<string, string | null> {
  const keys = columns.map(nameKey);
  // Beside another column with its letters, the service may know one of them by its name.
  const isAlone = (at: number): boolean => keys.indexOf(keys[at]!) === keys.lastIndexOf(keys[at]!);
  const entries = columns.flatMap((column, at): [string, string | null][] => {
    const choice = choices[at] ?? reported;
    if (choice === reported || (isAlone(at) && choice === targetOfColumn(column))) return [];
    return [[column, choice === leftOut ? null : choice]];
  });
  return Object.fromEntries(entries);
}

/** Counts the targets that several columns become. A link has all of its tags. */
export function repeatedTargets(choices: readonly Choice[]): number {
  const single = choices.filter((choice) => choice !== reported && choice !== leftOut && choice !== 'tags');
  return new Set(single.filter((choice, at) => single.indexOf(choice) !== at)).size;
}

/** Finds the choices that the service would refuse, by the place of their column. */
export function columnFaults(columns: readonly string[], choices: readonly Choice[]): Map<number, ColumnFault> {
  const mapped = columnsOption(columns, choices);
  const faults = new Map<number, ColumnFault>();
  for (const [at, column] of columns.entries()) {
    if (!Object.hasOwn(mapped, column)) continue;
    const target = mapped[column]!;
    if (column.length > maxHeaderLength) faults.set(at, 'longHeader');
    else if (target?.startsWith(paramPrefix) && !isParamName(target.slice(paramPrefix.length)))
      faults.set(at, 'paramName');
  }
  return faults;
}

const isParamName = (name: string): boolean => name.trim() !== '' && [...name].length <= maxParamLength;

/** Finds the fault of a mapping as a whole; null if it has none. */
export function mappingFault(columns: readonly string[], choices: readonly Choice[]): MappingFault | null {
  if (!choices.some((choice) => choice !== reported && choice !== leftOut)) return 'nothing';
  const mapped = columnsOption(columns, choices);
  if (Object.keys(mapped).length > maxColumns) return 'tooMany';
  const text = JSON.stringify(mapped);
  return text.length > maxOptionsLength || encodeURIComponent(text).length > maxEncodedLength ? 'tooLong' : null;
}
