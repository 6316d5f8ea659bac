import type { JsonFault } from '../../platform/http/json-limits';

/** Characters of a row. A link with all fields at their limits has a tenth of it. */
export const maxRowLength = 250_000;

export const tooLong = 'The row has more than 250 kB';

/** Values of a row, as `jsonFaultOf` counts them. A page of rows is parsed in one turn of the event loop. */
export const maxRowValues = 3000;

/** The faults of a row of JSON, in the words of a caller. */
export const jsonFaults: Record<JsonFault, string> = {
  too_deep: 'The row nests arrays and objects too deep',
  too_many_values: 'The row has too many values',
};

/** Cells of a row of CSV. Each column of such a file is in its report. */
export const maxCells = 1000;

/** Names of keys that are columns of a report. Objects may have any number of keys. */
const maxKeys = 200;

/** Collects what is known about a file once its rows are read. */
export class FileColumns {
  readonly #names = new Set<string>();
  #length = 0;

  /** Adds names while they have the length of a row together, because each read of the import has them. */
  add(names: readonly string[], max = maxKeys): void {
    for (const name of names) {
      if (this.#names.has(name) || this.#names.size === max || !isStorable(name)) continue;
      if (this.#length + name.length > maxRowLength) continue;
      this.#length += name.length;
      this.#names.add(name);
    }
  }

  get names(): string[] {
    return [...this.#names];
  }
}

/** Returns whether PostgreSQL can store the name as text. */
const isStorable = (name: string): boolean => name.isWellFormed() && !name.includes('\0');
