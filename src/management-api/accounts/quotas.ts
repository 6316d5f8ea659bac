import { QuotaReached } from './account.errors';
import type { AccountUsageRepository } from './account-usage.repository';
import { type AccountRepository } from './account.repository';
import { type Plan, plans, type Quotas } from './plan';

type Counted = keyof Quotas;

const called: Record<Counted, string> = { projects: 'projects', dynamicLinks: 'dynamic links', apiKeys: 'API keys' };

const counts: Record<Counted, (usage: AccountUsageRepository, accountId: string) => Promise<number>> = {
  projects: (usage, accountId) => usage.countProjects(accountId),
  dynamicLinks: (usage, accountId) => usage.countDynamicLinks(accountId),
  apiKeys: (usage, accountId) => usage.countApiKeys(accountId),
};

/** How many there may be (null: any number), and how many there are. */
export interface Use {
  limit: number | null;
  used: number;
}

/** The plans' quotas, kept exactly however many creates come at once. */
export class QuotaGate {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly usage: AccountUsageRepository,
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
  async reserve(accountId: string, plan: Plan, counted: Counted): Promise<void> {
    if (!this.isLimited(plan, counted)) return;
    await this.accounts.lock(accountId);
    const used = await counts[counted](this.usage, accountId);
    const limit = this.quotas[plan][counted];
    if (used < limit) return;
    const requiredPlan = plans.find((other) => this.quotas[other][counted] > used) ?? null;
    throw new QuotaReached(called[counted], { limit, used, plan, requiredPlan });
  }

  /** How much of everything the account uses, and may use on the plan. */
  async use(accountId: string, plan: Plan): Promise<Record<Counted, Use>> {
    const of = async (counted: Counted): Promise<Use> => ({
      limit: this.isLimited(plan, counted) ? this.quotas[plan][counted] : null,
      used: await counts[counted](this.usage, accountId),
    });
    const [projects, dynamicLinks, apiKeys] = await Promise.all([of('projects'), of('dynamicLinks'), of('apiKeys')]);
    return { projects, dynamicLinks, apiKeys };
  }
}
