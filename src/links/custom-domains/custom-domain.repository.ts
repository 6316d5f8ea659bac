import type { Page } from '../../shared/page';
import type { CustomDomain, CustomDomainChanges, NewCustomDomain } from './custom-domain';

export abstract class CustomDomainRepository {
  /**
   * Locks the project's set of domains until the unit of work ends.
   * @throws NotFound if the project is gone
   */
  abstract lockProject(projectId: string): Promise<void>;
  abstract count(projectId: string): Promise<number>;
  /**
   * @throws DomainExists if the project has the host name
   * @throws NotFound if the project is gone
   */
  abstract insert(domain: NewCustomDomain): Promise<CustomDomain>;
  abstract find(projectId: string, id: string): Promise<CustomDomain | null>;
  /** Finds the domain, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<CustomDomain | null>;
  /** Lists the newest first. */
  abstract list(projectId: string, request: { page: number; limit: number }): Promise<Page<CustomDomain>>;
  /** Changes the named fields only. Returns null if the project has no such domain. */
  abstract update(projectId: string, id: string, changes: CustomDomainChanges): Promise<CustomDomain | null>;
  /** Ends a use of the project's domain that has it, if one has. The project is locked. */
  abstract endUse(projectId: string, use: 'active' | 'openHost'): Promise<void>;
  /** Returns false if the project has no such domain. */
  abstract delete(projectId: string, id: string): Promise<boolean>;
}
