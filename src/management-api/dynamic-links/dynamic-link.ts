import { newId } from '../../shared/id';
import { FeatureNotInPlan } from '../accounts/account.errors';
import { type Plan, planIncludes } from '../accounts/plan';
import type { LinkPath } from '../link-paths/custom-path';
import { text } from '../../shared/text';
import type { DestinationUrl } from './destination-url';
import type { ReferrerParams } from './referrer-params';

export const socialTitle = text({ max: 200 });
export const socialDescription = text({ max: 1000 });

/** Names the destinations of one path, by device, and the content of its previews. */
export class DynamicLink {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly customPath: LinkPath;
  readonly desktopUrl: DestinationUrl | null;
  readonly iosAppId: string | null;
  readonly androidAppId: string | null;
  readonly iosFallbackUrl: DestinationUrl | null;
  readonly androidFallbackUrl: DestinationUrl | null;
  readonly iosDeferredDeepLink: boolean;
  readonly socialTitle: string | null;
  readonly socialDescription: string | null;
  readonly socialImageUrl: DestinationUrl | null;
  readonly referrerParams: ReferrerParams | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<DynamicLink>) {
    Object.assign(this, fields);
  }

  /** @throws FeatureNotInPlan if the plan does not include a feature that the link uses */
  static create(projectId: string, plan: Plan, fields: NewDynamicLink & { customPath: LinkPath }): NewLink {
    requireFeatures(plan, fields);
    return new DynamicLink({ ...unset, ...fields, id: newId(), projectId });
  }

  /** Returns whether `change` depends on the link as it is. */
  static needsCurrent(plan: Plan, { iosDeferredDeepLink }: DynamicLinkChanges): boolean {
    return iosDeferredDeepLink === true && !planIncludes(plan, 'deferred_deep_links');
  }

  /**
   * Returns the changes if the link may take them. A feature that the link already has stays after a downgrade.
   * @throws FeatureNotInPlan if they turn on a feature that the plan does not include
   */
  change(plan: Plan, changes: DynamicLinkChanges): DynamicLinkChanges {
    if (!this.iosDeferredDeepLink) requireFeatures(plan, changes);
    return changes;
  }

  /** Returns a copy with the changes. */
  with(changes: DynamicLinkChanges): DynamicLink {
    return new DynamicLink({ ...this, ...changes });
  }
}

function requireFeatures(plan: Plan, { iosDeferredDeepLink }: DynamicLinkChanges): void {
  if (iosDeferredDeepLink && !planIncludes(plan, 'deferred_deep_links'))
    throw new FeatureNotInPlan('deferred_deep_links', plan);
}

/** A link with summaries of the apps that it references, as the API embeds them. */
export interface DynamicLinkWithApps extends DynamicLink {
  iosApp: { id: string; name: string; bundle_id: string } | null;
  androidApp: { id: string; name: string; package_name: string } | null;
}

type Configuration = Omit<DynamicLink, 'id' | 'projectId' | 'createdAt' | 'updatedAt' | 'change' | 'with'>;

/** The fields that a caller may set. Absent fields get their defaults. */
export type NewDynamicLink = Pick<Configuration, 'name'> & Partial<Configuration>;

/** A link that the repository has not stored yet. */
export type NewLink = Omit<DynamicLink, 'createdAt' | 'updatedAt'>;

/** Absent fields stay unchanged; null clears a field. */
export type DynamicLinkChanges = Partial<Configuration>;

const unset = {
  desktopUrl: null,
  iosAppId: null,
  androidAppId: null,
  iosFallbackUrl: null,
  androidFallbackUrl: null,
  iosDeferredDeepLink: false,
  socialTitle: null,
  socialDescription: null,
  socialImageUrl: null,
  referrerParams: null,
} satisfies Partial<Configuration>;

export type DynamicLinkSortKey = 'name' | 'custom_path' | 'created_at' | 'updated_at';
