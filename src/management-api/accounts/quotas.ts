import { QuotaReached } from './account.errors';
import type { AccountUsageRepository } from './account-usage.repository';
import type { AccountRepository } from './account.repository';
import { type Plan, plans, type Quotas } from './plan';

type Counted = keyof Quotas;

const called: Record<Counted, string> = { projects: 'projects', dynamicLinks: 'dynamic links', apiKeys: 'API keys' };

const counts: Record<Counted, (usage: AccountUsageRepository, accountId: string) => Promise<number>> = {
  projects: (usage, accountId) => usage.countProjects(accountId),
  dynamicLinks: (usage, accountId) => usage.countDynamicLinks(accountId),
  apiKeys: (usage, accountId) => usage.countApiKeys(accountId),
};

export interface Use {
  /** Null if the plan does not limit the number. */
  limit: number | null;
  used: number;
}

/** Enforces the plans' quotas exactly, also for concurrent requests. */
export class QuotaGate {
  constructor(
    private readonly accounts: Pick<AccountRepository, 'lock'>,
    private readonly usage: AccountUsageRepository,
    private readonly quotas: Record<Plan, Quotas>,
  ) {}

  isLimited(plan: Plan, counted: Counted): boolean {
    return this.quotas[plan][counted] !== Infinity;
  }

  /**
   * Reserves one more. Call it in the unit of work that creates the resource. The account's row stays locked until that ends,
   * so that concurrent creations wait for each other. Unlimited plans neither lock nor count.
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

  /** Returns the account's usage of each quota, with the plan's limits. */
  async use(accountId: string, plan: Plan): Promise<Record<Counted, Use>> {
    const of = async (counted: Counted): Promise<Use> => ({
      limit: this.isLimited(plan, counted) ? this.quotas[plan][counted] : null,
      used: await counts[counted](this.usage, accountId),
    });
    const [projects, dynamicLinks, apiKeys] = await Promise.all([of('projects'), of('dynamicLinks'), of('apiKeys')]);
    return { projects, dynamicLinks, apiKeys };
  }
}
