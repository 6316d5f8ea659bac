export class ProbeSettings {
  readonly allowPrivateAddresses: boolean;
  readonly perMinute: number;
}
