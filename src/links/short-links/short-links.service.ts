import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Caller } from '../../tenancy/accounts/caller';
import type { Plan } from '../../tenancy/accounts/plan';
import { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { Project } from '../projects/project';
import { CrossScope, NotFound } from '../../shared/domain-error';
import { requireFound } from '../../shared/require-found';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import type { Page } from '../../shared/page';
import { UnitOfWork } from '../../shared/unit-of-work';
import { ShortLink, SlugExists } from './short-link';
import { drawSlugs, maxSlugLength, minGeneratedLength } from './slug';
import { PgShortLinkRepository, type ShortLinkListRequest } from './pg-short-link.repository';

export class ShortLinkSettings {
  /** Short links per dynamic link; Infinity means no limit. */
  readonly perDynamicLink: number;
}

/** Slugs per look-up. If nine of ten slugs of a length are taken, one of 16 is still free in four of five draws. */
const drawnAtOnce = 16;

@Injectable()
export class ShortLinksService {
  constructor(
    private readonly shortLinks: PgShortLinkRepository,
    private readonly dynamicLinks: DynamicLinkRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: ShortLinkSettings,
  ) {}

  list(project: Project, request: ShortLinkListRequest): Promise<Page<ShortLink>> {
    return this.shortLinks.list(project.id, request);
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<ShortLink> {
    return requireFound(await this.shortLinks.find(project.id, id), 'Short link');
  }

  /** @throws NotFound, CrossScope, LimitReached, SlugExists */
  async create(
    project: Project,
    caller: Caller,
    dynamicLinkId: string,
    slug: LinkPath | undefined,
  ): Promise<ShortLink> {
    const owner = await this.dynamicLinks.findProjectOf(dynamicLinkId);
    if (owner === null) throw new NotFound('Dynamic link');
    if (owner !== project.id) throw new CrossScope('The dynamic link of dynamic_link_id');
    const insert = (path: LinkPath) =>
      this.shortLinks.insert(ShortLink.create({ projectId: project.id, dynamicLinkId, slug: path }, caller));
    const create = () => (slug === undefined ? this.#insertGenerated(project.id, insert) : insert(slug));
    if (this.settings.perDynamicLink === Infinity) return create();
    return this.unitOfWork.run(async () => {
      await this.reserve(project.id, dynamicLinkId, caller.plan);
      return create();
    });
  }

  /**
   * Reserves one more short link of the dynamic link, whose row stays locked until the unit of work ends.
   * @throws NotFound, LimitReached
   */
  async reserve(projectId: string, dynamicLinkId: string, plan: Plan): Promise<void> {
    const { perDynamicLink: limit } = this.settings;
    if (limit === Infinity) return;
    requireFound(await this.dynamicLinks.findForUpdate(projectId, dynamicLinkId), 'Dynamic link');
    const used = await this.shortLinks.countUpTo(limit, projectId, dynamicLinkId);
    if (used >= limit) throw new LimitReached('short links of a dynamic link', { limit, used, plan });
  }

  /** Tries four characters first, and one more each time that a whole draw is taken. */
  async #insertGenerated(projectId: string, create: (slug: LinkPath) => Promise<ShortLink>): Promise<ShortLink> {
    for (let length = minGeneratedLength; ; length++) {
      const free = await this.shortLinks.findFree(projectId, drawSlugs(length, drawnAtOnce));
      if (free === null && length < maxSlugLength) continue;
      try {
        return await this.unitOfWork.attempt(() => create(free ?? drawSlugs(length, 1)[0]!));
      } catch (error) {
        // Another request took the slug meanwhile: the next draw has the same length.
        if (!(error instanceof SlugExists)) throw error;
        length--;
      }
    }
  }

  /** @throws NotFound, and what the precondition throws */
  delete(project: Project, id: string, precondition?: Precondition<ShortLink>): Promise<void> {
    const find = async () => requireFound(await this.shortLinks.findForUpdate(project.id, id), 'Short link');
    return updateIfUnchanged(this.unitOfWork, precondition, find, async () => {
      if (!(await this.shortLinks.delete(project.id, id))) throw new NotFound('Short link');
    });
  }
}
