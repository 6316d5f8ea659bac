import type { Page, PageRequest } from '../../shared/page';
import type { Import, ImportFailure, NewImport } from './import';
import type { ImportState } from './import-state';

export type ImportListRequest = Pick<PageRequest<string>, 'page' | 'limit' | 'sortOrder'>;

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
  abstract update(job: Import, changes: Partial<Import>): Promise<void>;
  abstract beginPhase(id: string, state: 'checking' | 'running'): Promise<void>;
  /** Ends the import unless its state has changed meanwhile, and frees the quota of links. */
  abstract end(job: Pick<Import, 'id' | 'state'>, state: 'completed' | 'cancelled' | ImportFailure): Promise<void>;
  /** Takes the import away at once. Its tables go with the next purge. */
  abstract remove(id: string): Promise<void>;
}
