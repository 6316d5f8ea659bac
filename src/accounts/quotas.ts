import { QuotaReached } from './account.errors';
import { type AccountRepository } from './account.repository';
import { type Plan, plans, type Quotas } from './plan';

type Counted = keyof Quotas;

const called: Record<Counted, string> = { projects: 'projects', dynamicLinks: 'dynamic links' };

/** The plans' quotas, kept exactly however many creates come at once. */
export class QuotaGate {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly quotas: Record<Plan, Quotas>,
  ) {}

  isLimited(plan: Plan, counted: Counted): boolean {
    return this.quotas[plan][counted] !== Infinity;
  }

  /**
   * Makes room for one more, to be called in the unit of work that creates it: the account's row stays locked until that
   * ends, so that whoever counts next counts what this one made. Plans without a limit neither lock nor count.
   *
   * @throws QuotaReached
   */
  async admitOneMore(accountId: string, plan: Plan, counted: Counted): Promise<void> {
    if (!this.isLimited(plan, counted)) return;
    await this.accounts.lock(accountId);
    const used = await (counted === 'projects'
      ? this.accounts.countProjects(accountId)
      : this.accounts.countDynamicLinks(accountId));
    const limit = this.quotas[plan][counted];
    if (used < limit) return;
    const requiredPlan = plans.find((other) => this.quotas[other][counted] > used) ?? null;
    throw new QuotaReached(called[counted], { limit, used, plan, requiredPlan });
  }
}
