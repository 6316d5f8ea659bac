import type { Page, PageRequest } from '../../shared/page';
import type { NewProject, Project, ProjectChanges, ProjectSortKey } from './project';

export interface ListedProject {
  project: Project;
  dynamicLinks: number;
}

export abstract class ProjectRepository {
  /** @throws SubdomainTaken */
  abstract insert(project: NewProject): Promise<Project>;
  /** Whoever owns it: the caller of this decides between 404 and 403. */
  abstract find(id: string): Promise<Project | null>;
  /** One of the account, and nobody else changes it until the unit of work ends. */
  abstract findForUpdate(accountId: string, id: string): Promise<Project | null>;
  abstract list(accountId: string, request: PageRequest<ProjectSortKey>): Promise<Page<ListedProject>>;
  /**
   * Changes the named fields alone. Null where there is no such project.
   * @throws SubdomainTaken
   */
  abstract update(accountId: string, id: string, changes: ProjectChanges): Promise<Project | null>;
  /** For everybody at once; what it held is left to be purged. False where there is no such project. */
  abstract delete(accountId: string, id: string): Promise<boolean>;
  /** Ids of deleted projects that are not purged yet. */
  abstract listDeleted(): Promise<string[]>;
  /** Removes up to `batch` links of a deleted project; true once nothing is left of it. */
  abstract purgeSome(id: string, batch: number): Promise<boolean>;
}
