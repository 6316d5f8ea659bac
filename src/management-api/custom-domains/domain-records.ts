/** What the DNS says. */
export abstract class DomainRecords {
  /**
   * The values of the name's TXT records, none where the DNS says that there are none. Null where it could not be told: no
   * resolver answered in time, or none could find it out. Comes back within three seconds, and never throws.
   */
  abstract textsOf(name: string): Promise<string[] | null>;
}
