import {
  AccessDenied,
  FeatureNotInPlan,
  LimitReached,
  QuotaReached,
} from '../../../src/tenancy/accounts/account.errors';
import { featuresOf, type Plan, planIncludes, type Quotas } from '../../../src/tenancy/accounts/plan';
import { QuotaGate } from '../../../src/tenancy/accounts/quotas';

/** A gate for accounts that have this many of everything. `done` lists what it locked and counted, in order. */
function aGate(used: Quotas): { gate: QuotaGate; done: string[] } {
  const done: string[] = [];
  const countUsed = async (quota: Counted, id: string) => {
    done.push(`${quota} of ${id}`);
    return used[quota];
  };
  return { gate: new QuotaGate({ lock: async (id) => void done.push(`lock ${id}`) }, { countUsed }, quotas), done };
}

const quotas: Record<Plan, Quotas> = {
  free: { projects: 2, dynamicLinks: 3, importBytes: 100, pictureBytes: 50, apiKeys: 5 },
  pro: { projects: 4, dynamicLinks: 3, importBytes: 1000, pictureBytes: 50, apiKeys: 5 },
  enterprise: { projects: Infinity, dynamicLinks: 9, importBytes: Infinity, pictureBytes: Infinity, apiKeys: 5 },
};

type Counted = keyof Quotas;
const noUsage: Quotas = { projects: 0, dynamicLinks: 0, importBytes: 0, pictureBytes: 0, apiKeys: 0 };

test.each<[Plan, Counted, number, string[]]>([
  ['free', 'projects', 0, ['lock acc', 'projects of acc']],
  ['free', 'projects', 1, ['lock acc', 'projects of acc']],
  ['free', 'dynamicLinks', 2, ['lock acc', 'dynamicLinks of acc']],
  ['pro', 'projects', 3, ['lock acc', 'projects of acc']],
  ['pro', 'apiKeys', 4, ['lock acc', 'apiKeys of acc']],
  ['enterprise', 'projects', 1_000_000, []],
])('on %s one more of the %s than %i is admitted', async (plan, counted, used, done) => {
  const account = aGate({ ...noUsage, [counted]: used });
  await account.gate.reserve('acc', plan, counted);
  expect(account.done).toEqual(done);
});

test.each<[Plan, Counted, string, number, Plan | null]>([
  ['free', 'projects', 'projects', 2, 'pro'],
  ['free', 'projects', 'projects', 3, 'pro'],
  ['free', 'projects', 'projects', 4, 'enterprise'],
  ['pro', 'projects', 'projects', 5, 'enterprise'],
  ['pro', 'dynamicLinks', 'dynamic links', 3, 'enterprise'],
  ['enterprise', 'dynamicLinks', 'dynamic links', 9, null],
])('on %s no more %s (%s) than %i are admitted; %p admits more', async (plan, counted, what, used, requiredPlan) => {
  const admitted = aGate({ ...noUsage, [counted]: used }).gate.reserve('acc', plan, counted);
  const limit = quotas[plan][counted];
  await expect(admitted).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
    message: `The ${plan} plan's limit of ${what} is reached: ${used} of ${limit} are in use; delete some${
      requiredPlan ? `, or change to the ${requiredPlan} plan` : ''
    }`,
    details: { limit, used, current_plan: plan, required_plan: requiredPlan },
  });
  await expect(admitted).rejects.toBeInstanceOf(QuotaReached);
});

test('the limit of API keys is a setting, so the plan is not to blame', async () => {
  const refused = aGate({ ...noUsage, apiKeys: 5 }).gate.reserve('acc', 'pro', 'apiKeys');
  await expect(refused).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
    message: 'The limit of API keys is reached: 5 of 5 are in use; delete one of them',
    details: { limit: 5, used: 5, current_plan: 'pro', required_plan: null },
  });
});

test('a quota that is held locks the account once, and is counted as often as needed', async () => {
  const account = aGate({ ...noUsage, dynamicLinks: 2 });
  const held = await account.gate.hold('acc', 'free', 'dynamicLinks');
  expect(held!.reservation).toMatchObject({ accountId: 'acc', limit: 3 });
  expect([await held!.countUsed(), await held!.countUsed()]).toEqual([2, 2]);
  expect(account.done).toEqual(['lock acc', 'dynamicLinks of acc', 'dynamicLinks of acc']);
  const unlimited = aGate(noUsage);
  expect(await unlimited.gate.hold('acc', 'enterprise', 'projects')).toBeNull();
  expect(unlimited.done).toEqual([]);
});

test('the refusal of several names their number', () => {
  const { reached } = aGate(noUsage).gate.reservationOf('acc', 'free', 'dynamicLinks')!;
  expect(reached(1, 8)).toMatchObject({
    message:
      "The free plan's limit of dynamic links has no space for 8 more: 1 of 3 are in use; delete some, or change to the enterprise plan",
    details: { required_plan: 'enterprise' },
  });
});

test.each<[Counted, string]>([
  [
    'importBytes',
    'of imports has no space for 20 more: 90 of 100 are in use; cancel or delete imports, or change to the pro plan',
  ],
  [
    'pictureBytes',
    'of pictures has no space for 20 more: 90 of 50 are in use; use pictures that the project has; those that no link has are removed after 30 days, or change to the enterprise plan',
  ],
])('the refusal of %s says what frees them', (quota, message) => {
  const { reached } = aGate(noUsage).gate.reservationOf('acc', 'free', quota)!;
  expect(reached(90, 20).message).toBe(`The free plan's limit of bytes ${message}`);
});

test('the use of an account is counted with its limits; no limit is null', async () => {
  const { gate } = aGate({ projects: 7, dynamicLinks: 8, importBytes: 10, pictureBytes: 11, apiKeys: 9 });
  expect(await gate.usageOf('acc', 'enterprise')).toEqual({
    projects: { limit: null, used: 7 },
    dynamicLinks: { limit: 9, used: 8 },
    importBytes: { limit: null, used: 10 },
    pictureBytes: { limit: null, used: 11 },
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
    'The limit of API keys is reached: 51 of 50 are in use; delete one of them',
    { limit: 50, used: 51, current_plan: 'pro', required_plan: null },
  ],
  ['ACCESS_DENIED', new AccessDenied('The project'), 'The project belongs to another account', undefined],
])('%s has a message and details', (code, error, message, details) => {
  expect({ code: error.code, message: error.message, details: error.details }).toEqual({ code, message, details });
});
