import type { Import } from './import';
import type { FileRow } from './file-row';
import type { ImportRow, Outcome, PlannedLink, RowResult } from './import-row';

/** The names by which rows can meet a link. */
export interface LinkNames {
  paths: string[];
  externalIds: string[];
  linkIds: string[];
}

/** Reads and writes rows of imports. `ImportRepository` removes them with their import. */
export abstract class ImportRowRepository {
  /** Stores rows of the file with the results of the dry run, and returns the bytes that they occupy. */
  abstract addRows(id: string, rows: { row: FileRow; result: RowResult }[]): Promise<number>;
  /** Returns rows after `number` in their order: as many as memory may hold, and one at least if there is one. */
  abstract rowsAfter(id: string, number: number, limit: number): Promise<ImportRow[]>;
  /** Returns the processed rows with an outcome, or all, in their order, without bytes that are too large for a page. */
  abstract listRows(of: Import, outcome: Outcome | undefined, offset: number, limit: number): Promise<ImportRow[]>;
  /** Returns processed rows after `number` like `rowsAfter`, with an outcome or all. */
  abstract processedRowsAfter(
    of: Import,
    outcome: Outcome | undefined,
    number: number,
    limit: number,
  ): Promise<ImportRow[]>;
  /** Stores results of rows. */
  abstract setResults(id: string, results: RowResult[]): Promise<void>;
  /** Returns the links that earlier rows of the dry run would write, and that have one of the names. */
  abstract findPlanned(id: string, names: LinkNames): Promise<PlannedLink[]>;
}
