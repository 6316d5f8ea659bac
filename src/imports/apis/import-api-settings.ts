/** Configures `ImportApiClient`. */
export class ImportApiSettings {
  /** Installations with private addresses are read too. */
  readonly allowPrivateAddresses: boolean;
}
