/** Characters of a row. A link with all fields at their limits has a tenth of it. */
export const maxRowLength = 250_000;

export const tooLong = 'The row has more than 250 kB';

/** Names of columns that a report has. Objects may have any number of keys. */
const maxColumns = 200;

/** Collects what is known about a file once its rows are read. */
export class FileColumns {
  readonly #names = new Set<string>();

  add(names: readonly string[]): void {
    for (const name of names) if (this.#names.size < maxColumns && isStorable(name)) this.#names.add(name);
  }

  get names(): string[] {
    return [...this.#names];
  }
}

/** Returns whether PostgreSQL can store the name as text. */
const isStorable = (name: string): boolean => name.isWellFormed() && !name.includes('\0');
