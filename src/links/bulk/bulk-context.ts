import type { Plan } from '../../tenancy/accounts/plan';
import type { HeldQuota } from '../../tenancy/accounts/quotas';
import type { DynamicLinkChanges } from '../dynamic-links/dynamic-link';
import type { LockedLink } from '../dynamic-links/dynamic-link.repository';
import type { BulkReferences } from './bulk-references';

export interface BulkContext {
  projectId: string;
  plan: Plan;
  /** Null if the plan does not limit the number of links. */
  quota: HeldQuota | null;
  references: BulkReferences;
  /** @throws BreaksReleasedApp if the changes of the link break released versions, and are not acknowledged */
  requireUnbroken(link: LockedLink, changes: DynamicLinkChanges): void;
}
