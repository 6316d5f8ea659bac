/** What an account may use and how much of it. The one table of plans; quotas are settings (`config.ts`). */
export const plans = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export const features = ['short_links', 'deferred_deep_links'] as const;
export type Feature = (typeof features)[number];

const included: Record<Plan, readonly Feature[]> = {
  free: [],
  pro: features,
  enterprise: features,
};

/** How many of each an account may have, over all its projects; Infinity: no limit. */
export interface Quotas {
  projects: number;
  dynamicLinks: number;
  /** Live ones, those made from the shell included. */
  apiKeys: number;
}

export const featuresOf = (plan: Plan): readonly Feature[] => included[plan];

export const planIncludes = (plan: Plan, feature: Feature): boolean => included[plan].includes(feature);

/** The smallest plan that has the feature. */
export const planRequiredFor = (feature: Feature): Plan => plans.find((plan) => planIncludes(plan, feature))!;
