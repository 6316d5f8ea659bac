import type { Page, PageRequest } from '../../shared/page';
import type { NewProject, Project, ProjectChanges, ProjectSortKey } from './project';
import type { Subdomain } from './subdomain';

export interface ListedProject {
  project: Project;
  dynamicLinks: number;
}

export abstract class ProjectRepository {
  /** @throws SubdomainTaken */
  abstract insert(project: NewProject): Promise<Project>;
  /** Finds a project of any account, so that the caller can distinguish 403 from 404. */
  abstract find(id: string): Promise<Project | null>;
  /** Finds the project of any account that uses the subdomain now. */
  abstract findBySubdomain(subdomain: Subdomain): Promise<Project | null>;
  /** Finds a project of the account, and locks it until the unit of work ends. */
  abstract findForUpdate(accountId: string, id: string): Promise<Project | null>;
  /** @param ids those that may be listed; null for all */
  abstract list(
    accountId: string,
    ids: ReadonlySet<string> | null,
    request: PageRequest<ProjectSortKey>,
  ): Promise<Page<ListedProject>>;
  /**
   * Changes the named fields only. Returns null if the account has no such project.
   * @throws SubdomainTaken
   */
  abstract update(accountId: string, id: string, changes: ProjectChanges): Promise<Project | null>;
  /** Hides the project; `PgDeletedProjectRepository` removes its content. Returns false if the account has no such project. */
  abstract delete(accountId: string, id: string): Promise<boolean>;
}
