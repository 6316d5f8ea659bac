/** Configures custom domains. All durations are in milliseconds. */
export class DomainSettings {
  readonly perProject: number;
  readonly recheckIntervalMs: number;
  /** How long a domain stays verified without its record. */
  readonly graceMs: number;
  /** How long the domains of a deleted project stay reserved for its account while their records exist. */
  readonly holdTimeMs: number;
  /** The host to which the records of domains point; null if the operator has not set it. */
  readonly linkTargetHost: string | null;
}
