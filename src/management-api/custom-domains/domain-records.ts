/** A TXT record that the DNS should have. */
export interface TxtRecord {
  name: string;
  value: string;
}

/** Looks up TXT records. */
export abstract class DomainRecords {
  /**
   * Returns the values of the name's TXT records, or an empty list if the DNS has no such record.
   * Returns null if no resolver gave an answer. Returns within three seconds, and never throws.
   */
  abstract textsOf(name: string): Promise<string[] | null>;
}
