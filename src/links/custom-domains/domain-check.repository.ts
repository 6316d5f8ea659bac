import type { CustomDomain, CustomDomainChanges } from './custom-domain';
import type { DomainSettings } from './domain-settings';

/** Stores results of checks. It compares times with the clock of the database. */
export abstract class DomainCheckRepository {
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
  /** Takes up to `max` verified domains that are due, and moves their next check `lockMs` ahead. */
  abstract takeDue(lockMs: number, max: number): Promise<CustomDomain[]>;
  /** Stores a check of a taken domain. Returns false, and changes nothing, if the domain was taken or verified again meanwhile. */
  abstract updateTaken(taken: CustomDomain, changes: CustomDomainChanges): Promise<boolean>;
  /** Releases the host names of projects that were deleted so long ago or earlier. */
  abstract releaseHeld(holdTimeMs: number): Promise<void>;
  /** Counts the verified domains whose record is missing. */
  abstract countMissing(): Promise<number>;
}
