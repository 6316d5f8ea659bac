/** A condition on the table as `t` that an index can answer. Its parameters are numbered by `push`, which adds a value. */
export type Narrowing = (push: (value: unknown) => number) => string;

export interface LargeOwner {
  /** Whether the owner has so many of the table's rows that an index on searched text is faster without the owner. */
  hasMostRows: boolean;
  /** Whether PostgreSQL's trigrams contain letters other than those of ASCII, which depends on the locale of the database. */
  hasAllLetters: boolean;
  /** False until the totals are known for the first time. */
  isCounted: boolean;
}

/** Totals of the searches and filters of large owners, which something other than a count of rows knows. */
export interface KeptTotals {
  /** Returns null for other owners, and for filters without totals. The statement may have no row yet. */
  large(ownerId: string, filters: Record<string, unknown>): LargeOwner | null;
  /**
   * Returns SQL that selects one row for a large owner. `all` are its rows, `filtered` those that match the filters, and `total`
   * those that match filters and search. Unknown numbers are null.
   */
  sql(
    ownerId: string,
    search: string | undefined,
    filters: Record<string, unknown>,
  ): { sql: string; values: unknown[] };
  /**
   * Returns a condition that holds for all rows that contain a rare text, and that an index answers faster than the search itself.
   * Returns null if no index does.
   */
  narrow(ownerId: string, search: string, owner: LargeOwner): Promise<Narrowing | null>;
}

export interface KeptTotalsRow {
  version: string;
  all: string;
  filtered: string | null;
  total: string | null;
}
