import type { Subdomain } from './project';

/** Stores former subdomains. A unique index gives each subdomain one owner. */
export abstract class SubdomainRepository {
  /** Returns the project's former subdomains, and locks them until the unit of work ends. */
  abstract lockFormer(projectId: string): Promise<Subdomain[]>;
  /** Releases subdomains of projects that were deleted by then: the named one, or all. Returns their number. */
  abstract release(deletedUntil: Date, name?: Subdomain): Promise<number>;
  /** Releases the oldest subdomains of the account's deleted projects until `max` are left. */
  abstract releaseBeyond(accountId: string, max: number): Promise<void>;
}
