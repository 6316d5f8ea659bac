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
  /**
   * Stores that the domain was verified. The host name belongs to one project: the current one keeps it while its record stands.
   * The current project loses it if its record is missing since `missingBefore`, and is not among the `texts` in the DNS.
   * A deleted project of another account keeps it if it was deleted after `heldSince`, and its record is among the `texts`.
   * Returns null if the project has no such domain.
   *
   * @throws DomainTaken
   */
  abstract markVerified(
    domain: CustomDomain,
    evidence: { now: Date; nextCheckAt: Date; missingBefore: Date; heldSince: Date; texts: string[] },
  ): Promise<CustomDomain | null>;
  /** Changes the named fields only. Returns null if the project has no such domain. */
  abstract update(projectId: string, id: string, changes: CustomDomainChanges): Promise<CustomDomain | null>;
  /** Ends a use of the project's domain that has it, if one has. The project is locked. */
  abstract endUse(projectId: string, use: 'active' | 'openHost'): Promise<void>;
  /** Returns false if the project has no such domain. */
  abstract delete(projectId: string, id: string): Promise<boolean>;
  /** Takes up to `max` verified domains that are due at `now`, and moves their next check to `until`. */
  abstract takeDue(now: Date, until: Date, max: number): Promise<CustomDomain[]>;
  /** Stores a check of a taken domain. Returns false, and changes nothing, if the domain was taken or verified again meanwhile. */
  abstract updateTaken(taken: CustomDomain, changes: CustomDomainChanges): Promise<boolean>;
  /** Releases the host names of projects that were deleted by then. */
  abstract releaseHeld(deletedUntil: Date): Promise<void>;
  /** Counts the verified domains whose record is missing. */
  abstract countMissing(): Promise<number>;
}
