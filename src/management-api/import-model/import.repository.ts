import type { Page } from '../../shared/page';
import type { QuotaReservation } from '../accounts/quotas';
import type { Import, ImportChanges, ImportFailure, NewImport } from './import';
import type { ImportState } from './import-state';

export interface ImportListRequest {
  page: number;
  limit: number;
  sortOrder: 'asc' | 'desc';
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
  /** Takes away imports that are too old, or whose upload has stopped. */
  abstract removeExpired(limits: { uploadBefore: Date; finishedBefore: Date; maxPerProject: number }): Promise<void>;
  /** Removes up to `batch` rows of a removed import. Returns true if no removed import is left for this process. */
  abstract purgeSome(batch: number): Promise<boolean>;
}
