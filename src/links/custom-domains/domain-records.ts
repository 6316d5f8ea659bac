/** A TXT record that the DNS should have. */
export interface TxtRecord {
  name: string;
  value: string;
}

/** Looks up the DNS records of domains. */
export abstract class DomainRecords {
  /**
   * Returns the values of the name's TXT records, or an empty list if the DNS has no such record.
   * Returns null if no resolver gave an answer. Returns within three seconds, and never throws.
   */
  abstract textsOf(name: string): Promise<string[] | null>;
  /** Returns the targets of the name's CNAME records in lower case, without a final dot; otherwise as `textsOf`. */
  abstract aliasesOf(name: string): Promise<string[] | null>;
  /** Returns the IPv4 and IPv6 addresses of the name, also behind a CNAME; otherwise as `textsOf`. */
  abstract addressesOf(name: string): Promise<string[] | null>;
}
