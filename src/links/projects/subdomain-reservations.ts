import type { Plan } from '../../tenancy/accounts/plan';
import type { Project } from './project';
import type { Subdomain } from './subdomain';
import { TooManyFormerSubdomains } from './project.errors';
import type { PgSubdomainRepository } from './pg-subdomain.repository';

export class ReservationSettings {
  /** How long the subdomains of a deleted project stay reserved for its account, in milliseconds. */
  readonly holdTimeMs: number;
  /** The number of subdomains that deleted projects of an account can reserve. Beyond it, the oldest is released. */
  readonly heldPerAccount: number;
  readonly formerPerProject: number;
}

/**
 * Reserves subdomains that were in use. No other account may receive their visitors, because shipped apps and sent messages
 * still contain them.
 */
export class SubdomainReservations {
  constructor(
    private readonly subdomains: PgSubdomainRepository,
    private readonly settings: ReservationSettings,
  ) {}

  /**
   * Limits former subdomains, because a project answers on all of them. Returning to a former one is always allowed.
   * Call it in the unit of work that renames the project.
   *
   * @throws TooManyFormerSubdomains
   */
  async assertRenameAllowed(project: Project, plan: Plan, subdomain: Subdomain): Promise<void> {
    const former = await this.subdomains.lockFormer(project.id);
    const { formerPerProject: limit } = this.settings;
    if (former.length >= limit && !former.includes(subdomain))
      throw new TooManyFormerSubdomains(project.id, { limit, used: former.length, plan });
  }

  async releaseIfExpired(subdomain: Subdomain): Promise<void> {
    await this.subdomains.release(this.settings.holdTimeMs, subdomain);
  }

  /** Releases all expired reservations. Several processes may do it at once. */
  async releaseExpired(): Promise<void> {
    await this.subdomains.release(this.settings.holdTimeMs);
  }

  /**
   * Stops accounts from collecting subdomains by creating and deleting projects.
   * Call it in the unit of work that deletes a project.
   */
  async enforceAccountLimit(accountId: string): Promise<void> {
    await this.subdomains.releaseBeyond(accountId, this.settings.heldPerAccount);
  }
}
