/** Configures requests to hosts of projects. */
export class ProbeSettings {
  /** Hosts with private addresses are probed too. */
  readonly allowPrivateAddresses: boolean;
  /** Probes per minute and account. */
  readonly perMinute: number;
}
