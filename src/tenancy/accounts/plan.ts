/** The plans, in ascending order. Their quotas are settings (`config.ts`). */
export const plans = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

export const features = ['short_links', 'deferred_deep_links'] as const;
export type Feature = (typeof features)[number];

const included: Record<Plan, readonly Feature[]> = {
  free: [],
  pro: features,
  enterprise: features,
};

/** Maximum numbers per account. Infinity means no limit. */
export interface Quotas {
  projects: number;
  dynamicLinks: number;
  /** Bytes that imports store, until they are removed. */
  importBytes: number;
  /** Bytes of uploaded pictures, until they are removed. */
  pictureBytes: number;
  /** Live keys, including those created from the shell. */
  apiKeys: number;
}

export const featuresOf = (plan: Plan): readonly Feature[] => included[plan];

export const planIncludes = (plan: Plan, feature: Feature): boolean => included[plan].includes(feature);

export const planRequiredFor = (feature: Feature): Plan => plans.find((plan) => planIncludes(plan, feature))!;

export class QuotaSettings {
  readonly byPlan: Record<Plan, Quotas>;
}
