/** Cells of a row of CSV. Each column of such a file is in its report. */
export const maxCells = 1000;

/** Names of keys that are columns of a report. Objects may have any number of keys. */
const maxKeys = 200;

/** Characters of all names of columns together, because each read of the import has them. */
export const maxNamesLength = 65_536;

/** Collects the names of the columns of a report, in the order in which rows have them. */
export class FileColumns {
  readonly #names: Set<string>;
  #length: number;

  readonly #max: number;

  /** @param known names that earlier rows have */
  constructor(known: readonly string[], isCsv: boolean) {
    this.#max = isCsv ? maxCells : maxKeys;
    this.#names = new Set(known);
    this.#length = known.join('').length;
  }

  add(names: readonly string[]): void {
    for (const name of names) {
      if (this.#names.size >= this.#max) return;
      if (this.#names.has(name) || !isStorable(name) || this.#length + name.length > maxNamesLength) continue;
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
