/** What of custom domains is set. */
export class DomainSettings {
  /** Claims of one project. */
  readonly perProject: number;
  /** Milliseconds between two looks for the record of a proved domain. */
  readonly recheckInterval: number;
  /** Milliseconds that a domain outlives its record. */
  readonly grace: number;
  /** Milliseconds that the domains of a deleted project are held for its account, if their records stand. */
  readonly holdTime: number;
}
