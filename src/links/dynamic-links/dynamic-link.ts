import { newId } from '../../shared/id';
import { FeatureNotInPlan } from '../../tenancy/accounts/account.errors';
import { type Plan, planIncludes } from '../../tenancy/accounts/plan';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import { defaultsOf, type Properties, shapeOf } from '../../shared/field-table';
import { type LinkFields, linkFields, type ReadableLinkFields } from './link-fields';

/** Names the destinations of one path, by device, and the content of its previews. */
export class DynamicLink extends shapeOf<Properties<ReadableLinkFields>>() {
  readonly id: string;
  readonly projectId: string;
  /** Null without a password. */
  readonly passwordHash: Buffer | null;
  /** Whether `clickLimit` is reached. */
  readonly usedUp: boolean;
  /** The system that the link comes from; null if it was created here. */
  readonly importedFrom: string | null;
  readonly originalCreatedAt: Date | null;
  /** A number in decimal digits, because JavaScript reads `bigint` as text. */
  readonly originalClicks: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<DynamicLink>) {
    super();
    Object.assign(this, fields);
  }

  /** @throws FeatureNotInPlan if the plan does not include a feature that the link uses */
  static create(
    projectId: string,
    plan: Plan,
    fields: HashedLink & TagIds & Partial<LinkOriginFields> & { customPath: LinkPath },
  ): NewLink & TagIds {
    requireFeatures(plan, fields);
    return new DynamicLink({ ...noOrigin, ...notUsed, ...defaults, ...fields, id: newId(), projectId });
  }

  /** Returns the changes that replace all fields, except the path and the password if none is named, and the external id. */
  static replacement(fields: HashedLink): HashedChanges;
  static replacement(fields: NewDynamicLink): DynamicLinkChanges;
  static replacement({ externalId: _, ...fields }: NewDynamicLink): DynamicLinkChanges {
    return { ...replacedDefaults, ...fields };
  }

  /** Returns whether `requireChange` depends on the link as it is. */
  static needsCurrent(plan: Plan, { iosDeferredDeepLink }: DynamicLinkChanges): boolean {
    return iosDeferredDeepLink === true && !planIncludes(plan, 'deferred_deep_links');
  }

  /**
   * Refuses what the plan does not include. A feature that the link already has stays after a downgrade.
   * @throws FeatureNotInPlan if the changes turn on a feature that the plan does not include
   */
  static requireChange(
    current: Pick<DynamicLink, 'iosDeferredDeepLink'>,
    plan: Plan,
    changes: DynamicLinkChanges,
  ): void {
    if (!current.iosDeferredDeepLink) requireFeatures(plan, changes);
  }

  with(changes: HashedChanges & Partial<Pick<DynamicLink, 'usedUp'>>): DynamicLink {
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

type Configuration = Properties<LinkFields>;

/** The fields that a caller may set. Absent fields get their defaults. */
export type NewDynamicLink = Pick<Configuration, 'name'> & Partial<Configuration>;

/** Where a link comes from, which only an import sets. */
export type LinkOriginFields = Pick<DynamicLink, keyof typeof noOrigin>;

/** Fields with the hash of the password in its place. `password` is named, so that the compiler refuses fields that are not hashed. */
export type Hashed<Fields> = Omit<Fields, 'password'> & { password?: undefined; passwordHash?: Buffer | null };
export type HashedLink = Hashed<NewDynamicLink>;
export type HashedChanges = Hashed<DynamicLinkChanges>;

/** A link that the repository has not stored yet. */
export type NewLink = Omit<DynamicLink, 'createdAt' | 'updatedAt'>;

/** Ids of the tags that a write sets. A link without tags has none, so that it needs no look-up. */
export interface TagIds {
  tagIds?: string[];
}

/** Absent fields stay unchanged; null clears a field. */
export type DynamicLinkChanges = Partial<Configuration>;

const { password: _, ...defaults } = defaultsOf(linkFields) as Partial<Configuration>;
const { externalId: __, ...replacedDefaults } = defaults;
const notUsed = { passwordHash: null, usedUp: false } satisfies Partial<DynamicLink>;

const noOrigin = { importedFrom: null, originalCreatedAt: null, originalClicks: null } satisfies Partial<DynamicLink>;

/** Which links a list has: those that are not archived, those that are, or both. */
export const archivedChoices = ['false', 'true', 'any'] as const;
export type ArchivedChoice = (typeof archivedChoices)[number];

export type DynamicLinkSortKey = 'name' | 'custom_path' | 'created_at' | 'updated_at';
