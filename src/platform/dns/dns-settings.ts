/** What of name resolution is set. */
export class DnsSettings {
  /** Addresses of resolvers, with or without ports; none for the system's. */
  readonly resolvers: string[];
}
