import type { Page } from '../../shared/page';
import type { CustomDomain, CustomDomainChanges, NewCustomDomain } from './custom-domain';
import type { DomainSettings } from './domain-settings';

/** Stores custom domains. It compares times with the clock of the database. */
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
  /**
   * Stores that the domain was verified. The host name belongs to one project: the current one keeps it while its record stands.
   * The current project loses it if its record is missing for `graceMs`, and is not among the `texts` in the DNS.
   * A deleted project of another account keeps it for `holdTimeMs` if its record is among the `texts`.
   * Returns null if the project has no such domain.
   *
   * @throws DomainTaken
   */
  abstract markVerified(
    domain: CustomDomain,
    texts: string[],
    settings: Pick<DomainSettings, 'recheckIntervalMs' | 'graceMs' | 'holdTimeMs'>,
  ): Promise<CustomDomain | null>;
  /** Changes the named fields only. Returns null if the project has no such domain. */
  abstract update(projectId: string, id: string, changes: CustomDomainChanges): Promise<CustomDomain | null>;
  /** Ends a use of the project's domain that has it, if one has. The project is locked. */
  abstract endUse(projectId: string, use: 'active' | 'openHost'): Promise<void>;
  /** Returns false if the project has no such domain. */
  abstract delete(projectId: string, id: string): Promise<boolean>;
  /** Takes up to `max` verified domains that are due, and moves their next check `lockMs` ahead. */
  abstract takeDue(lockMs: number, max: number): Promise<CustomDomain[]>;
  /** Stores a check of a taken domain. Returns false, and changes nothing, if the domain was taken or verified again meanwhile. */
  abstract updateTaken(taken: CustomDomain, changes: CustomDomainChanges): Promise<boolean>;
  /** Releases the host names of projects that were deleted so long ago or earlier. */
  abstract releaseHeld(holdTimeMs: number): Promise<void>;
  /** Counts the verified domains whose record is missing. */
  abstract countMissing(): Promise<number>;
}
