import type { Page } from '../../shared/page';
import type { QuotaReservation } from '../accounts/quotas';
import type { Import, ImportChanges, ImportFailure, NewImport } from './import';
import type { FileRow, ImportRow, Outcome, PlannedLink, RowResult } from './import-row';
import type { ImportState } from './import-state';

export interface ImportListRequest {
  page: number;
  limit: number;
  sortOrder: 'asc' | 'desc';
}

/** The names by which rows can meet a link. */
export interface LinkNames {
  paths: string[];
  externalIds: string[];
  linkIds: string[];
}

export abstract class ImportRepository {
  /** @throws NotFound if the project is gone */
  abstract insert(created: NewImport): Promise<Import>;
  abstract find(projectId: string, id: string): Promise<Import | null>;
  /** Finds the import, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<Import | null>;
  /** Returns the id of the project that has the import; null if no import has the id. */
  abstract findPlace(id: string): Promise<{ projectId: string; state: ImportState } | null>;
  abstract list(projectId: string, request: ImportListRequest): Promise<Page<Import>>;
  /** Counts imports of the project that have not come to their end. */
  abstract countOpen(projectId: string): Promise<number>;
  /** Changes the named fields only. */
  abstract update(id: string, changes: ImportChanges): Promise<void>;
  /** Notes that a process still stores the rows of an import. Returns false if the import is not open for them. */
  abstract touchUpload(id: string): Promise<boolean>;
  /** Ends an import that is open for rows, and no other. */
  abstract failUpload(id: string, failure: ImportFailure): Promise<void>;
  /** Ends imports whose list a process has stopped to read without ending them. */
  abstract failSilentFetches(silentSince: Date, failure: ImportFailure): Promise<void>;
  /** Takes the import away at once; `purgeSome` removes its rows. */
  abstract remove(id: string): Promise<void>;
  /**
   * Checks that so many more links fit into the quota, and locks the account until the unit of work ends.
   * @throws QuotaReached
   */
  abstract reserveLinks(quota: QuotaReservation, links: number): Promise<void>;
  /** Stores rows of the file, from the number on. Rows that are stored already stay, so that it can be repeated. */
  abstract addRows(id: string, firstNumber: number, rows: FileRow[]): Promise<void>;
  /** Returns rows after `number` in their order: as many as memory may hold, and one at least if there is one. */
  abstract rowsAfter(id: string, number: number, limit: number): Promise<ImportRow[]>;
  /** Returns the processed rows with an outcome, or all, in their order, without records that are too large for a page. */
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
  /** Takes away imports that are too old, or whose upload has stopped. */
  abstract removeExpired(limits: { uploadBefore: Date; finishedBefore: Date; maxPerProject: number }): Promise<void>;
  /** Removes up to `batch` rows of a removed import. Returns true if no removed import is left for this process. */
  abstract purgeSome(batch: number): Promise<boolean>;
}
