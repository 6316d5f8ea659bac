import { DomainError, domainError } from '../../shared/domain-error';
import { type Feature, type Plan, planRequiredFor } from './plan';

/** Reports that the plan does not include the feature. Details: `{ feature, current_plan, required_plan }`. */
export class FeatureNotInPlan extends domainError(
  'FORBIDDEN_PLAN',
  (feature: Feature, plan: Plan) =>
    `The ${plan} plan does not include ${feature.replaceAll('_', ' ')}; the ${planRequiredFor(feature)} plan does`,
  (feature, plan) => ({ feature, current_plan: plan, required_plan: planRequiredFor(feature) }),
) {}

/** Reports that the plan's quota is used up. Details: `{ limit, used, current_plan, required_plan }`. */
export class QuotaReached extends DomainError {
  readonly code = 'ACCESS_DENIED';
  override readonly details: { limit: number; used: number; current_plan: Plan; required_plan: Plan | null };

  constructor(
    what: string,
    quota: { limit: number; used: number; more?: number; plan: Plan; requiredPlan: Plan | null },
    action = 'delete some',
  ) {
    const { limit, used, more = 1 } = quota;
    const fault = more === 1 ? 'is reached' : `has no space for ${more} more`;
    const remedy = quota.requiredPlan ? `${action}, or change to the ${quota.requiredPlan} plan` : action;
    super(`The ${quota.plan} plan's limit of ${what} ${fault}: ${used} of ${limit} are in use; ${remedy}`);
    this.details = { limit, used, current_plan: quota.plan, required_plan: quota.requiredPlan };
  }
}

/** A limit that applies to all plans is reached. Details: as for `QuotaReached`. */
export class LimitReached extends DomainError {
  readonly code = 'ACCESS_DENIED';
  override readonly details: { limit: number; used: number; current_plan: Plan; required_plan: null };

  /** @param remedy the action that the message names */
  constructor(
    what: string,
    { limit, used, plan }: { limit: number; used: number; plan: Plan },
    remedy = 'delete one of them',
  ) {
    super(`The limit of ${what} is reached: ${used} of ${limit} are in use; ${remedy}`);
    this.details = { limit, used, current_plan: plan, required_plan: null };
  }
}

export class AccessDenied extends domainError(
  'ACCESS_DENIED',
  (what: string) => `${what} belongs to another account`,
) {}
