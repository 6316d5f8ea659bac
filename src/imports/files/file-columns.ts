import { isStorable } from '../../shared/text';

/** Cells of a row of CSV. Each column of such a file is in its report. */
export const maxCells = 1000;

/** Names of keys that are columns of a report. Objects may have any number of keys. */
const maxKeys = 200;

/** Characters of all names of columns together, because each read of the import has them. */
export const maxNamesLength = 65_536;

/** Returns the columns of a report with those of further rows, in the order in which rows have them. */
export function columnsWith(columns: readonly string[], further: readonly string[], isCsv: boolean): string[] {
  const max = isCsv ? maxCells : maxKeys;
  const names = new Set(columns);
  let length = columns.join('').length;
  for (const name of further) {
    if (names.size >= max) break;
    if (names.has(name) || !isStorable(name) || length + name.length > maxNamesLength) continue;
    length += name.length;
    names.add(name);
  }
  return [...names];
}
