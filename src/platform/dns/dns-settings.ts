export class DnsSettings {
  /** Addresses with or without ports; empty for the system's resolvers. */
  readonly resolvers: string[];
}
