/** Host names of verified custom domains (docs/decisions/0020-read-models.md). */
export abstract class CustomHostRepository {
  abstract listVerified(): Promise<string[]>;
  /** Those of these that are verified. */
  abstract findVerified(hostnames: string[]): Promise<string[]>;
}
