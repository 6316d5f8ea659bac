import { Injectable } from '@nestjs/common';
import { FeatureNotInPlan } from '../accounts/account.errors';
import { type Plan, planIncludes } from '../accounts/plan';
import { QuotaGate } from '../accounts/quotas';
import { AndroidAppNotFound } from '../android-apps/android-app.errors';
import { AndroidAppRepository } from '../android-apps/android-app.repository';
import { IosAppNotFound } from '../ios-apps/ios-app.errors';
import { IosAppRepository } from '../ios-apps/ios-app.repository';
import { generateCustomPath, type LinkPath } from '../link-paths/custom-path';
import type { Project } from '../projects/project';
import { CrossScope, NotFound } from '../../shared/domain-error';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { DynamicLink, DynamicLinkChanges, DynamicLinkWithApps, NewDynamicLink } from './dynamic-link';
import { CustomPathExists } from './dynamic-link.errors';
import { type DynamicLinkListRequest, DynamicLinkRepository } from './dynamic-link.repository';

/** Draws of a generated path before giving up. Among 62^8 names even the second draw is an event. */
const draws = 5;

@Injectable()
export class DynamicLinksService {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly iosApps: IosAppRepository,
    private readonly androidApps: AndroidAppRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(project: Project, request: DynamicLinkListRequest): Promise<Page<DynamicLinkWithApps>> {
    return this.links.list(project.id, request);
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<DynamicLinkWithApps> {
    return found(await this.links.find(project.id, id));
  }

  /** @throws IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan, QuotaReached, CustomPathExists */
  async create(project: Project, plan: Plan, fields: NewDynamicLink): Promise<DynamicLink> {
    await this.requireOwnApps(project, fields);
    if (fields.iosDeferredDeepLink) this.requireDeferredDeepLinks(plan);
    if (fields.customPath !== undefined) return this.insert(project, plan, fields, fields.customPath);
    for (let draw = 1; ; draw++) {
      try {
        return await this.unitOfWork.attempt(() => this.insert(project, plan, fields, generateCustomPath()));
      } catch (error) {
        if (!(error instanceof CustomPathExists) || draw === draws) throw error;
      }
    }
  }

  private insert(project: Project, plan: Plan, fields: NewDynamicLink, customPath: LinkPath): Promise<DynamicLink> {
    const link = { ...fields, id: newId(), projectId: project.id, customPath };
    if (!this.quotas.isLimited(plan, 'dynamicLinks')) return this.links.insert(link);
    return this.unitOfWork.run(async () => {
      await this.quotas.reserve(project.accountId, plan, 'dynamicLinks');
      return this.links.insert(link);
    });
  }

  /**
   * @throws NotFound, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan, CustomPathExists, and what
   * `expected` throws
   */
  update(
    project: Project,
    plan: Plan,
    id: string,
    changes: DynamicLinkChanges,
    precondition?: Precondition<DynamicLinkWithApps>,
  ): Promise<DynamicLink> {
    return this.change(project, id, precondition, async () => {
      const link = await this.get(project, id);
      await this.requireOwnApps(project, changes);
      if (changes.iosDeferredDeepLink && !link.iosDeferredDeepLink) this.requireDeferredDeepLinks(plan);
      return found(await this.links.update(project.id, id, changes));
    });
  }

  /** @throws NotFound, and what `expected` throws */
  delete(project: Project, id: string, precondition?: Precondition<DynamicLinkWithApps>): Promise<void> {
    return this.change(project, id, precondition, async () => {
      if (!(await this.links.delete(project.id, id))) throw new NotFound('Dynamic link');
    });
  }

  private change<R>(
    project: Project,
    id: string,
    precondition: Precondition<DynamicLinkWithApps> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => found(await this.links.findForUpdate(project.id, id));
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }

  /** Tells the caller which of the two refusals it is; that a reference holds, the foreign keys decide. */
  private async requireOwnApps(project: Project, { iosAppId, androidAppId }: DynamicLinkChanges): Promise<void> {
    if (iosAppId) {
      const owner = await this.iosApps.findProjectOf(iosAppId);
      if (owner === null) throw new IosAppNotFound();
      if (owner !== project.id) throw new CrossScope('The iOS app of ios_app_id');
    }
    if (androidAppId) {
      const owner = await this.androidApps.findProjectOf(androidAppId);
      if (owner === null) throw new AndroidAppNotFound();
      if (owner !== project.id) throw new CrossScope('The Android app of android_app_id');
    }
  }

  private requireDeferredDeepLinks(plan: Plan): void {
    if (!planIncludes(plan, 'deferred_deep_links')) throw new FeatureNotInPlan('deferred_deep_links', plan);
  }
}

function found<T extends DynamicLink>(link: T | null): T {
  if (!link) throw new NotFound('Dynamic link');
  return link;
}
