/** What of asking hosts is set. */
export class ProbeSettings {
  /** Hosts whose addresses are not of the public internet are asked, too. */
  readonly privateAddresses: boolean;
}
