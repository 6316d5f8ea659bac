import type { Page } from '../../shared/page';
import type { CustomDomain, NewCustomDomain } from './custom-domain';
import type { Hostname } from './hostname';

/** A domain whose record is to be looked for. */
export interface DueDomain {
  id: string;
  projectId: string;
  hostname: Hostname;
  challenge: string;
  recordMissingSince: Date | null;
  /** Until when nobody else looks. */
  takenUntil: Date;
}

/** What a look for a record came to. */
export interface CheckedDomain {
  /** Absent: the DNS gave no answer, and nothing is known that was not before. */
  checked?: { at: Date; recordMissingSince: Date | null };
  /** Null: the domain is proved no longer. */
  nextCheckAt: Date | null;
}

export abstract class CustomDomainRepository {
  /**
   * Nobody else adds a domain of the project, or makes one active, until the unit of work ends.
   * @throws NotFound when the project is gone, by then too
   */
  abstract lockProject(projectId: string): Promise<void>;
  abstract count(projectId: string): Promise<number>;
  /**
   * @throws DomainExists when the project has the host name
   * @throws NotFound when the project is gone
   */
  abstract insert(domain: NewCustomDomain): Promise<CustomDomain>;
  abstract find(projectId: string, id: string): Promise<CustomDomain | null>;
  /** And nobody else changes it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<CustomDomain | null>;
  /** Newest first. */
  abstract list(projectId: string, request: { page: number; limit: number }): Promise<Page<CustomDomain>>;
  /**
   * Writes down that the domain was proved at `now`. Of several projects that prove a host name one gets it: the one that has
   * it, as long as its record stands. It has to yield if that was missing already before `missingBefore`, and is not among the
   * `texts` that are in the DNS now. So is one that another account's project had when it was deleted after `heldSince`, as long
   * as its record is among them. Null where the project has no such domain.
   *
   * @throws DomainTaken
   */
  abstract prove(
    domain: CustomDomain,
    proof: { now: Date; nextCheckAt: Date; missingBefore: Date; heldSince: Date; texts: string[] },
  ): Promise<CustomDomain | null>;
  /**
   * Makes it the only active one of its project, which is locked, or not active. Null where the project has no such domain.
   * @throws DomainNotVerified when it is to be active and was not proved
   */
  abstract setActive(projectId: string, id: string, active: boolean): Promise<CustomDomain | null>;
  /** False where the project has no such domain. */
  abstract delete(projectId: string, id: string): Promise<boolean>;
  /** Takes up to `most` proved domains that are due at `now`, so that nobody else gets them before `until`. */
  abstract takeDue(now: Date, until: Date, most: number): Promise<DueDomain[]>;
  /** False where something else was written of the domain since it was taken: this says nothing any more, then. */
  abstract note(domain: DueDomain, checked: CheckedDomain): Promise<boolean>;
  /** Ends what is held of projects that were deleted until then. */
  abstract releaseHeld(deletedUntil: Date): Promise<void>;
  /** How many proved domains have lost their record. */
  abstract countMissing(): Promise<number>;
}
