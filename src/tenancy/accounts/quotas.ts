import { LimitReached, QuotaReached } from './account.errors';
import type { PgAccountUsageRepository } from './pg-account-usage.repository';
import type { AccountRepository } from './account.repository';
import { type Plan, plans, type Quotas } from './plan';

type QuotaName = keyof Quotas;

const labels: Record<QuotaName, string> = {
  projects: 'projects',
  dynamicLinks: 'dynamic links',
  importBytes: 'bytes of imports',
  pictureBytes: 'bytes of pictures',
  apiKeys: 'API keys',
};

/** Actions that free a quota, other than to delete some. */
const actions: Partial<Record<QuotaName, string>> = {
  importBytes: 'cancel or delete imports',
  pictureBytes: 'use pictures that the project has; those that no link has are removed after 30 days',
};

/** A quota that the statement of a creation checks itself. */
export interface QuotaReservation {
  accountId: string;
  limit: number;
  /** Returns the refusal of so many more (one by default) if as many are in use. */
  reached: (used: number, more?: number) => QuotaReached | LimitReached;
}

/** A quota that no other unit of work uses. */
export interface HeldQuota {
  reservation: QuotaReservation;
  countUsed: () => Promise<number>;
}

export interface QuotaUsage {
  /** Null if the plan does not limit the number. */
  limit: number | null;
  used: number;
}

/** Enforces the plans' quotas exactly, also for concurrent requests. */
export class QuotaGate {
  constructor(
    private readonly accounts: Pick<AccountRepository, 'lock'>,
    private readonly usage: Pick<PgAccountUsageRepository, 'countUsed'>,
    private readonly quotas: Record<Plan, Quotas>,
  ) {}

  isLimited(plan: Plan, quota: QuotaName): boolean {
    return this.quotas[plan][quota] !== Infinity;
  }

  /**
   * Reserves one more. Call it in the unit of work that creates the resource. The account's row stays locked until that ends,
   * so that concurrent creations wait for each other. Unlimited plans neither lock nor count.
   *
   * @throws QuotaReached
   */
  async reserve(accountId: string, plan: Plan, quota: QuotaName): Promise<void> {
    const held = await this.hold(accountId, plan, quota);
    if (!held) return;
    const used = await held.countUsed();
    if (used >= held.reservation.limit) throw held.reservation.reached(used);
  }

  /**
   * Locks the account until the unit of work ends, so that nobody else uses the quota meanwhile. Returns null if the plan does not
   * limit the number.
   */
  async hold(accountId: string, plan: Plan, quota: QuotaName): Promise<HeldQuota | null> {
    const reservation = this.reservationOf(accountId, plan, quota);
    if (!reservation) return null;
    await this.accounts.lock(accountId);
    return { reservation, countUsed: () => this.usage.countUsed(quota, accountId) };
  }

  /** Returns what a statement needs to reserve one more itself; undefined if the plan does not limit the number. */
  reservationOf(accountId: string, plan: Plan, quota: QuotaName): QuotaReservation | undefined {
    if (!this.isLimited(plan, quota)) return undefined;
    const limit = this.quotas[plan][quota];
    const reached = (used: number, more = 1): QuotaReached | LimitReached => {
      // This limit is a setting, and the same in all plans.
      if (quota === 'apiKeys') return new LimitReached(labels[quota], { limit, used, plan });
      const requiredPlan = plans.find((other) => this.quotas[other][quota] >= used + more) ?? null;
      return new QuotaReached(labels[quota], { limit, used, more, plan, requiredPlan }, actions[quota]);
    };
    return { accountId, limit, reached };
  }

  /** Returns the account's usage of each quota, with the plan's limits. */
  async usageOf(accountId: string, plan: Plan): Promise<Record<QuotaName, QuotaUsage>> {
    const usages = (Object.keys(labels) as QuotaName[]).map(async (quota): Promise<[QuotaName, QuotaUsage]> => {
      const limit = this.isLimited(plan, quota) ? this.quotas[plan][quota] : null;
      return [quota, { limit, used: await this.usage.countUsed(quota, accountId) }];
    });
    return Object.fromEntries(await Promise.all(usages)) as Record<QuotaName, QuotaUsage>;
  }
}
