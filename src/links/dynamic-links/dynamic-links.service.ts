import { Injectable } from '@nestjs/common';
import type { Plan } from '../../tenancy/accounts/plan';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import { AppRepository } from '../apps/app.repository';
import { generateCustomPath, type LinkPath, maxDraws } from '../../link-paths/paths/custom-path';
import type { Project } from '../projects/project';
import { PgTagsOfLinksRepository } from '../tags/pg-tags-of-links.repository';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { ReleaseGuard, replacesApps } from '../../link-paths/release-guard/release-guard';
import { requireFound } from '../../shared/require-found';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import type { Page, PageRequest } from '../../shared/page';
import { UnitOfWork } from '../../shared/unit-of-work';
import {
  DynamicLink,
  type DynamicLinkChanges,
  type DynamicLinkSortKey,
  type DynamicLinkWithApps,
  type HashedLink,
  type NewDynamicLink,
  type TagIds,
} from './dynamic-link';
import { CustomPathExists } from './dynamic-link.errors';
import { DynamicLinkRepository, type StoredChanges } from './dynamic-link.repository';
import { DynamicLinkPurge } from './dynamic-link-purge';
import { withPasswordHash } from './link-password';
import { requireAllowedDestinations, requireOwnApps, toTagFields } from './link-references';
import { type NamedFilters, tagFilterOf } from './tag-filter';

@Injectable()
export class DynamicLinksService {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly apps: AppRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly purge: DynamicLinkPurge,
    private readonly tags: PgTagsOfLinksRepository,
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  async list(
    project: Project,
    request: NamedFilters & PageRequest<DynamicLinkSortKey>,
  ): Promise<Page<DynamicLinkWithApps>> {
    const tags = await this.#tagFilterOf(project, request);
    if (tags === null) return { items: [], total: 0 };
    return this.links.list(project.id, { ...request, tags });
  }

  /**
   * Lists links in the order of a count of each.
   * @param counts by the ids of links; 0 for those that are absent
   */
  async listByCounts(
    project: Project,
    request: NamedFilters & Omit<PageRequest<never>, 'sortBy'>,
    counts: ReadonlyMap<string, number>,
  ): Promise<Page<DynamicLinkWithApps>> {
    const tags = await this.#tagFilterOf(project, request);
    if (tags === null) return { items: [], total: 0 };
    return this.links.listByCounts(project.id, { ...request, tags }, counts);
  }

  #tagFilterOf(project: Project, names: NamedFilters) {
    return tagFilterOf(names, (name) => this.tags.idsOf(project.id, name));
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<DynamicLinkWithApps> {
    return requireFound(await this.links.find(project.id, id), 'Dynamic link');
  }

  /**
   * @throws InvalidInput, DestinationRefused, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan, QuotaReached,
   * CustomPathExists, ExternalIdExists
   */
  async create(project: Project, plan: Plan, fields: NewDynamicLink): Promise<DynamicLink> {
    requireAllowedDestinations(project, fields);
    await requireOwnApps(this.apps, project.id, fields);
    const hashed = await withPasswordHash(fields);
    if (!fields.tags?.length) return this.#insert(project, plan, hashed);
    return this.unitOfWork.run(async () => {
      const tags = await this.tags.ensure(project.id, fields.tags!);
      return this.#insert(project, plan, { ...hashed, ...toTagFields(tags) });
    });
  }

  async #insert(project: Project, plan: Plan, fields: HashedLink & TagIds): Promise<DynamicLink> {
    const quota = this.quotas.reservationOf(project.accountId, plan, 'dynamicLinks');
    const create = (customPath: LinkPath) =>
      this.links.insert(DynamicLink.create(project.id, plan, { ...fields, customPath }), quota);
    if (fields.customPath !== undefined) return create(fields.customPath);
    for (let draw = 1; ; draw++) {
      try {
        return await this.unitOfWork.attempt(() => create(generateCustomPath()));
      } catch (error) {
        if (!(error instanceof CustomPathExists) || draw === maxDraws) throw error;
      }
    }
  }

  /**
   * @throws InvalidInput, DestinationRefused, NotFound, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan,
   * CustomPathExists, ExternalIdExists, BreaksReleasedApp, and what the precondition throws
   */
  async update(
    project: Project,
    plan: Plan,
    id: string,
    changes: DynamicLinkChanges,
    precondition?: Precondition<DynamicLinkWithApps>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<DynamicLinkWithApps> {
    const isGuarded = replacesApps(changes) && (await this.releaseGuard.hasReleases(project.id));
    if (!isGuarded) return this.#update(project, plan, id, changes, precondition);
    return this.unitOfWork.run(async () => {
      const guarded = await this.releaseGuard.ofLinks(project.id);
      return this.#update(project, plan, id, changes, precondition, (link) =>
        this.releaseGuard.requireLinkChange(guarded, link, changes, acknowledgement),
      );
    });
  }

  async #update(
    project: Project,
    plan: Plan,
    id: string,
    changes: DynamicLinkChanges,
    precondition: Precondition<DynamicLinkWithApps> | undefined,
    requireUnbroken?: (link: DynamicLinkWithApps) => void,
  ): Promise<DynamicLinkWithApps> {
    requireAllowedDestinations(project, changes);
    const { tags, ...others } = await withPasswordHash(changes);
    const needsCurrent = requireUnbroken !== undefined || DynamicLink.needsCurrent(plan, changes);
    // A precondition locks the link, so that it stays as it is until the update.
    const condition = precondition ?? (needsCurrent ? () => {} : undefined);
    const store = (stored: StoredChanges) =>
      this.#change(project, id, condition, async () => {
        // Most changes are checked by the update alone. An absent link is reported before faults of references and of the plan.
        if (changes.iosAppId || changes.androidAppId || needsCurrent) {
          const link = await this.get(project, id);
          await requireOwnApps(this.apps, project.id, changes);
          DynamicLink.requireChange(link, plan, changes);
          requireUnbroken?.(link);
        }
        return requireFound(await this.links.update(project.id, id, stored), 'Dynamic link');
      });
    if (!tags?.length) return store({ ...others, ...(tags && { tagIds: [] }) });
    return this.unitOfWork.run(async () => {
      // Before the link, in the order of bulk requests. Otherwise two requests with a new tag could wait for each other.
      const ensured = await this.tags.ensure(project.id, tags);
      return store({ ...others, tagIds: ensured.map((tag) => tag.id) });
    });
  }

  /**
   * Deletes the link and its short links at once for API and visitors. The rows of many short links are purged afterwards.
   * @throws NotFound, and what the precondition throws
   */
  async delete(project: Project, id: string, precondition?: Precondition<DynamicLinkWithApps>): Promise<void> {
    const { rowsRemain } = await this.#change(project, id, precondition, async () =>
      requireFound(await this.links.delete(project.id, id), 'Dynamic link'),
    );
    if (rowsRemain) void this.purge.sweep();
  }

  #change<R>(
    project: Project,
    id: string,
    precondition: Precondition<DynamicLinkWithApps> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => requireFound(await this.links.findForUpdate(project.id, id), 'Dynamic link');
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}
