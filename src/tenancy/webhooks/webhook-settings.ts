export class WebhookSettings {
  /** Endpoints may have private addresses, and the scheme `http`. For development. */
  readonly allowPrivateAddresses: boolean;
}
