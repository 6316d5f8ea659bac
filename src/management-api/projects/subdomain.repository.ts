import type { Subdomain } from './project';

/** Subdomains that are not the current one of a project. That a name has one owner, the database sees to. */
export abstract class SubdomainRepository {
  /**
   * Those that the project had before and still answers on. Nobody changes which these are until the unit of work ends.
   */
  abstract lockFormer(projectId: string): Promise<Subdomain[]>;
  /** Frees names of projects that were deleted until then: this one, or all. Tells how many. */
  abstract release(deletedUntil: Date, name?: Subdomain): Promise<number>;
  /** Frees names of the account's deleted projects until so many are left, the longest held first. */
  abstract releaseBeyond(accountId: string, most: number): Promise<void>;
}
