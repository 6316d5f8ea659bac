import type { QuotaReservation } from '../../tenancy/accounts/quotas';
import type { Page, PageRequest } from '../../shared/page';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type {
  ArchivedChoice,
  DynamicLink,
  HashedChanges,
  DynamicLinkSortKey,
  DynamicLinkWithApps,
  LinkOriginFields,
  NewLink,
  TagIds,
} from './dynamic-link';

/** Filters of lists that compare a column with a value, by the name of both. */
export const columnFilters = ['ios_app_id', 'android_app_id', 'external_id', 'template'] as const;

export interface DynamicLinkFilters extends Partial<Record<(typeof columnFilters)[number], string>> {
  search?: string;
  ids?: string[];
  /** Only links with an id of `with`, and with none of `without`. */
  tags?: { with?: string[]; without?: string[] };
  archived: ArchivedChoice;
}

export interface DynamicLinkListRequest extends DynamicLinkFilters, PageRequest<DynamicLinkSortKey> {}

/** Changes as they are stored: ids of tags in place of their names. */
export type StoredChanges = Omit<HashedChanges, 'tags'> & TagIds & Partial<LinkOriginFields>;

export interface LinkUpdate {
  id: string;
  changes: StoredChanges;
}

export type LockedLink = Pick<
  DynamicLink,
  'customPath' | 'externalId' | 'iosDeferredDeepLink' | 'iosAppId' | 'androidAppId' | 'updatedAt'
> & {
  hasShortLinks: boolean;
};

/** The ids of links or short links by a name that they have. */
export interface NameOwners {
  paths: ReadonlyMap<string, string>;
  externalIds: ReadonlyMap<string, string>;
}

export abstract class DynamicLinkRepository {
  /**
   * @param quota is checked in the same statement, so that it is exact for concurrent creations
   * @throws CustomPathExists, ExternalIdExists if any link of the project has the path, or the external id
   * @throws the error of the quota if it is reached
   * @throws IosAppNotFound, AndroidAppNotFound if the project has no such app
   * @throws NotFound if the project is gone
   */
  abstract insert(link: NewLink & TagIds, quota?: QuotaReservation): Promise<DynamicLink>;
  /**
   * Inserts all of the links or none. They must set the same fields.
   * @throws what `insert` throws, because of any of them
   */
  abstract insertAll(links: (NewLink & TagIds)[], quota?: QuotaReservation): Promise<void>;
  /**
   * Waits until no other bulk request changes links of the project, and keeps others waiting until the unit of work ends.
   * @throws ConcurrencyLimited if that takes too long
   */
  abstract beginBulk(projectId: string): Promise<void>;
  /** Returns which of the paths and external ids are in use in the project now, with the ids of the links or short links. */
  abstract findOwners(projectId: string, paths: string[], externalIds: string[]): Promise<NameOwners>;
  /** Locks the links in one order, until the unit of work ends. Returns those that the project has, by their ids. */
  abstract lockAll(projectId: string, ids: string[]): Promise<Map<string, LockedLink>>;
  /** Returns the links of the project that have one of the paths, or of the external ids. */
  abstract findNamed(projectId: string, paths: string[], externalIds: string[]): Promise<DynamicLink[]>;
  abstract find(projectId: string, id: string): Promise<DynamicLinkWithApps | null>;
  abstract findIdByExternalId(projectId: string, externalId: string): Promise<string | null>;
  /** Finds the link, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<DynamicLinkWithApps | null>;
  /** Returns the id of the project that has the link, in any account; null if no link has the id. */
  abstract findProjectOf(id: string): Promise<string | null>;
  /** Returns whether a link or short link of the project has the path now. Only `insert` and `update` decide that it is free. */
  abstract hasPath(projectId: string, path: LinkPath): Promise<boolean>;
  abstract list(projectId: string, request: DynamicLinkListRequest): Promise<Page<DynamicLinkWithApps>>;
  /**
   * Lists links in the order of a count of each.
   * @param counts by the ids of links; 0 for those that are absent
   */
  abstract listByCounts(
    projectId: string,
    request: Omit<DynamicLinkListRequest, 'sortBy'>,
    counts: ReadonlyMap<string, number>,
  ): Promise<Page<DynamicLinkWithApps>>;
  /**
   * Lists up to `limit` links, archived or not, the oldest first.
   * @param after the last link of the list before; null for the first list
   */
  abstract listAfter(
    projectId: string,
    after: Pick<DynamicLink, 'createdAt' | 'id'> | null,
    limit: number,
  ): Promise<DynamicLinkWithApps[]>;
  /**
   * Changes the named fields only. Returns null if the project has no such link.
   * @throws CustomPathExists, ExternalIdExists, IosAppNotFound, AndroidAppNotFound
   */
  abstract update(projectId: string, id: string, changes: StoredChanges): Promise<DynamicLinkWithApps | null>;
  /**
   * Changes several links like `update`. They set the same fields, and have different ids. Links that the project does not have are
   * absent from the result.
   * @throws what `update` throws, because of any of them
   */
  abstract updateAll(projectId: string, links: LinkUpdate[]): Promise<Map<string, DynamicLink>>;
  /**
   * Deletes the link with its short links. Of a link with many, rows remain that nobody sees; `purgeSome` removes them.
   * Returns null if the project has no such link.
   */
  abstract delete(projectId: string, id: string): Promise<{ rowsRemain: boolean } | null>;
  /** Deletes like `delete`. Links that the project does not have are absent from the result. */
  abstract deleteAll(projectId: string, ids: string[]): Promise<Map<string, { rowsRemain: boolean }>>;
  /** Removes up to `batch` rows of a deleted link. Returns true if no deleted link is left for this process. */
  abstract purgeSome(batch: number): Promise<boolean>;
}
