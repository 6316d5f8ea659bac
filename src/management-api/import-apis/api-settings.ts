/** Configures `ImportApiClient`. */
export class ApiSettings {
  /** Installations with private addresses are read too. */
  readonly allowPrivateAddresses: boolean;
}
