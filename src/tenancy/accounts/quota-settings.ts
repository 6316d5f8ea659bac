import type { Plan, Quotas } from './plan';

export class QuotaSettings {
  readonly byPlan: Record<Plan, Quotas>;
}
