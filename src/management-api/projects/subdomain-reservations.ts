import { LimitReached } from '../accounts/account.errors';
import type { Plan } from '../accounts/plan';
import type { Clock } from '../../shared/clock';
import type { Project, Subdomain } from './project';
import type { SubdomainRepository } from './subdomain.repository';

export class ReservationSettings {
  /** Milliseconds that the names of a deleted project are held for its account. */
  readonly holdTime: number;
  /** Names that an account's deleted projects can hold; beyond, the longest held one is free. */
  readonly heldPerAccount: number;
  /** Names that a project can have left and still answer on. */
  readonly formerPerProject: number;
}

/**
 * Names that were in use. Apps that were shipped have them built in, and messages that were sent lead there: nobody else may get
 * what is sent to them.
 */
export class SubdomainReservations {
  constructor(
    private readonly subdomains: SubdomainRepository,
    private readonly clock: Clock,
    private readonly settings: ReservationSettings,
  ) {}

  /**
   * To be called in the unit of work that renames the project. A project answers on every name that it ever had, so there is an
   * end to new ones: who is at it can go back to a name, but take no further one.
   *
   * @throws LimitReached
   */
  async assertRenameAllowed(project: Project, plan: Plan, subdomain: Subdomain): Promise<void> {
    const former = await this.subdomains.lockFormer(project.id);
    const { formerPerProject: limit } = this.settings;
    if (former.length >= limit && !former.includes(subdomain))
      throw new LimitReached('former subdomains of a project', { limit, used: former.length, plan });
  }

  /** Ends the hold on the name, if its time is over. */
  async releaseIfExpired(subdomain: Subdomain): Promise<void> {
    await this.subdomains.release(this.#overSince(), subdomain);
  }

  /** Ends every hold whose time is over. Any number of processes may do it at once. */
  async releaseExpired(): Promise<void> {
    await this.subdomains.release(this.#overSince());
  }

  /** To be called in the unit of work that deletes a project: nobody hoards names by making and deleting projects. */
  async enforceAccountLimit(accountId: string): Promise<void> {
    await this.subdomains.releaseBeyond(accountId, this.settings.heldPerAccount);
  }

  #overSince(): Date {
    return new Date(this.clock.now() - this.settings.holdTime);
  }
}
