import {
  AccessDenied,
  FeatureNotInPlan,
  LimitReached,
  QuotaReached,
} from '../../../src/management-api/accounts/account.errors';
import type { Account, User } from '../../../src/management-api/accounts/account';
import { AccountRepository } from '../../../src/management-api/accounts/account.repository';
import { AccountUsageRepository } from '../../../src/management-api/accounts/account-usage.repository';
import {
  featuresOf,
  type Plan,
  planIncludes,
  planRequiredFor,
  type Quotas,
} from '../../../src/management-api/accounts/plan';
import { QuotaGate } from '../../../src/management-api/accounts/quotas';

/** Returns fixed counts and records each call. */
class FixedUsage extends AccountUsageRepository {
  constructor(
    private readonly used: Quotas,
    private readonly calls: string[],
  ) {
    super();
  }

  async countProjects(id: string): Promise<number> {
    this.calls.push(`projects of ${id}`);
    return this.used.projects;
  }

  async countDynamicLinks(id: string): Promise<number> {
    this.calls.push(`links of ${id}`);
    return this.used.dynamicLinks;
  }

  async countApiKeys(id: string): Promise<number> {
    this.calls.push(`keys of ${id}`);
    return this.used.apiKeys;
  }
}

/** Records each lock, and has a usage repository with fixed counts. */
class FixedAccounts extends AccountRepository {
  readonly calls: string[] = [];
  readonly usage: AccountUsageRepository;

  constructor(used: Quotas) {
    super();
    this.usage = new FixedUsage(used, this.calls);
  }

  async lock(id: string): Promise<void> {
    this.calls.push(`lock ${id}`);
  }

  insert(): Promise<Account> {
    throw new Error('not implemented');
  }

  insertUser(): Promise<User> {
    throw new Error('not implemented');
  }

  find(): Promise<Account | null> {
    throw new Error('not implemented');
  }

  findOwner(): Promise<User | null> {
    throw new Error('not implemented');
  }

  setPlan(): Promise<Account | null> {
    throw new Error('not implemented');
  }

  any(): Promise<boolean> {
    throw new Error('not implemented');
  }
}

const quotas: Record<Plan, Quotas> = {
  free: { projects: 2, dynamicLinks: 3, apiKeys: 5 },
  pro: { projects: 4, dynamicLinks: 3, apiKeys: 5 },
  enterprise: { projects: Infinity, dynamicLinks: 9, apiKeys: 5 },
};

type Counted = keyof Quotas;
const noUsage: Quotas = { projects: 0, dynamicLinks: 0, apiKeys: 0 };

test.each<[Plan, Counted, number, string[]]>([
  ['free', 'projects', 0, ['lock acc', 'projects of acc']],
  ['free', 'projects', 1, ['lock acc', 'projects of acc']],
  ['free', 'dynamicLinks', 2, ['lock acc', 'links of acc']],
  ['pro', 'projects', 3, ['lock acc', 'projects of acc']],
  ['pro', 'apiKeys', 4, ['lock acc', 'keys of acc']],
  ['enterprise', 'projects', 1_000_000, []],
])('the %s plan allows one more of %s with %i in use', async (plan, counted, used, calls) => {
  const account = new FixedAccounts({ ...noUsage, [counted]: used });
  await new QuotaGate(account, account.usage, quotas).reserve('acc', plan, counted);
  expect(account.calls).toEqual(calls);
});

test.each<[Plan, Counted, string, number, Plan | null]>([
  ['free', 'projects', 'projects', 2, 'pro'],
  ['free', 'projects', 'projects', 3, 'pro'],
  ['free', 'projects', 'projects', 4, 'enterprise'],
  ['pro', 'projects', 'projects', 5, 'enterprise'],
  ['pro', 'dynamicLinks', 'dynamic links', 3, 'enterprise'],
  ['enterprise', 'dynamicLinks', 'dynamic links', 9, null],
  ['free', 'apiKeys', 'API keys', 5, null],
])(
  'the %s plan allows no more of %s (%s) with %i in use, and requires the plan %p',
  async (plan, counted, label, used, requiredPlan) => {
    const account = new FixedAccounts({ ...noUsage, [counted]: used });
    const reservation = new QuotaGate(account, account.usage, quotas).reserve('acc', plan, counted);
    const limit = quotas[plan][counted];
    await expect(reservation).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      message: `The ${plan} plan's limit of ${label} is reached: ${used} of ${limit} are in use`,
      details: { limit, used, current_plan: plan, required_plan: requiredPlan },
    });
    await expect(reservation).rejects.toBeInstanceOf(QuotaReached);
  },
);

test('use returns the usage and limits of an account, with null for an unlimited quota', async () => {
  const account = new FixedAccounts({ projects: 7, dynamicLinks: 8, apiKeys: 9 });
  const gate = new QuotaGate(account, account.usage, quotas);
  expect(await gate.use('acc', 'enterprise')).toEqual({
    projects: { limit: null, used: 7 },
    dynamicLinks: { limit: 9, used: 8 },
    apiKeys: { limit: 5, used: 9 },
  });
  expect(gate.isLimited('enterprise', 'projects')).toBe(false);
  expect(gate.isLimited('free', 'projects')).toBe(true);
});

test.each([
  ['free', false],
  ['pro', true],
  ['enterprise', true],
] as const)('the %s plan includes short links and deferred deep links: %p', (plan, included) => {
  expect(planIncludes(plan, 'short_links')).toBe(included);
  expect(planIncludes(plan, 'deferred_deep_links')).toBe(included);
  expect(featuresOf(plan)).toEqual(included ? ['short_links', 'deferred_deep_links'] : []);
});

test('pro is the smallest plan with each feature', () => {
  expect(planRequiredFor('short_links')).toBe('pro');
  expect(planRequiredFor('deferred_deep_links')).toBe('pro');
});

test.each([
  [
    'FORBIDDEN_PLAN',
    new FeatureNotInPlan('deferred_deep_links', 'free'),
    'The free plan does not include deferred deep links; the pro plan does',
    { feature: 'deferred_deep_links', current_plan: 'free', required_plan: 'pro' },
  ],
  [
    'ACCESS_DENIED',
    new LimitReached('API keys', { limit: 50, used: 51, plan: 'pro' }),
    'There can be 50 API keys, and there are 51',
    { limit: 50, used: 51, current_plan: 'pro', required_plan: null },
  ],
  ['ACCESS_DENIED', new AccessDenied('The project'), 'The project belongs to another account', undefined],
])('%s has a message and details', (code, error, message, details) => {
  expect({ code: error.code, message: error.message, details: error.details }).toEqual({ code, message, details });
});
