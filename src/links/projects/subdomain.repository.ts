import type { Page } from '../../shared/page';
import type { Project } from './project';
import type { Subdomain } from './subdomain';

/** A subdomain that a project had before, and on which it still answers. */
export interface FormerSubdomain {
  name: Subdomain;
  leftAt: Date;
}

/** Stores former subdomains. A unique index gives each subdomain one owner. */
export abstract class SubdomainRepository {
  /** Finds the hosts on which the project answers: its subdomain, its former ones, and its verified custom domains. */
  abstract findHosts(projectId: string): Promise<Pick<Project, 'subdomain' | 'customDomain'>[]>;
  /** Returns the project's former subdomains, and locks them until the unit of work ends. */
  abstract lockFormer(projectId: string): Promise<Subdomain[]>;
  /** Lists the project's former subdomains, those that it left last first. */
  abstract listFormer(projectId: string, request: { page: number; limit: number }): Promise<Page<FormerSubdomain>>;
  /** Releases a former subdomain, so that every account can take it. Returns false if the project has no such one. */
  abstract releaseFormer(projectId: string, name: Subdomain): Promise<boolean>;
  /** Releases subdomains of projects that were deleted so long ago or earlier: the named one, or all. Returns their number. */
  abstract release(holdTimeMs: number, name?: Subdomain): Promise<number>;
  /** Releases the oldest subdomains of the account's deleted projects until `max` are left. */
  abstract releaseBeyond(accountId: string, max: number): Promise<void>;
}
