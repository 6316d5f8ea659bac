/** Reads host names of verified custom domains (docs/decisions/0020-read-models.md). */
export abstract class VerifiedDomainRepository {
  abstract listVerified(): Promise<string[]>;
  /** Returns the verified ones of `hostnames`. */
  abstract findVerified(hostnames: string[]): Promise<string[]>;
}
