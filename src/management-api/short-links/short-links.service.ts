import { Injectable } from '@nestjs/common';
import type { Caller } from '../accounts/caller';
import { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import type { LinkPath } from '../link-paths/custom-path';
import type { Project } from '../projects/project';
import { CrossScope, NotFound } from '../../shared/domain-error';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import { UnitOfWork } from '../../shared/unit-of-work';
import { drawSlugs, maxSlugLength, type ShortLink, minGeneratedLength } from './short-link';
import { SlugExists } from './short-link.errors';
import { type ShortLinkListRequest, ShortLinkRepository } from './short-link.repository';

/** Slugs drawn at once: with nine of ten names of a length taken, one of these is still free four times in five. */
const drawnAtOnce = 16;

@Injectable()
export class ShortLinksService {
  constructor(
    private readonly shortLinks: ShortLinkRepository,
    private readonly dynamicLinks: DynamicLinkRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(project: Project, request: ShortLinkListRequest): Promise<Page<ShortLink>> {
    return this.shortLinks.list(project.id, request);
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<ShortLink> {
    return found(await this.shortLinks.find(project.id, id));
  }

  /** @throws NotFound, CrossScope, SlugExists */
  async create(
    project: Project,
    caller: Caller,
    dynamicLinkId: string,
    slug: LinkPath | undefined,
  ): Promise<ShortLink> {
    const owner = await this.dynamicLinks.findProjectOf(dynamicLinkId);
    if (owner === null) throw new NotFound('Dynamic link');
    if (owner !== project.id) throw new CrossScope('The dynamic link of dynamic_link_id');
    const link = {
      projectId: project.id,
      dynamicLinkId,
      source: caller.apiKeyId === null ? ('dashboard' as const) : ('api' as const),
      createdBy: caller.userId,
      createdByApiKeyId: caller.apiKeyId,
    };
    if (slug !== undefined) return this.shortLinks.insert({ ...link, id: newId(), slug });
    return this.insertGenerated(link);
  }

  /** Tries four characters first, and one more each time that a whole draw is taken. */
  private async insertGenerated(link: Omit<ShortLink, 'id' | 'slug' | 'createdAt' | 'updatedAt'>): Promise<ShortLink> {
    for (let length = minGeneratedLength; ; length++) {
      const free = await this.shortLinks.findFree(link.projectId, drawSlugs(length, drawnAtOnce));
      if (free === null && length < maxSlugLength) continue;
      try {
        const slug = free ?? drawSlugs(length, 1)[0]!;
        return await this.unitOfWork.attempt(() => this.shortLinks.insert({ ...link, id: newId(), slug }));
      } catch (error) {
        // Taken since it was found free: the next draw has the same length.
        if (!(error instanceof SlugExists)) throw error;
        length--;
      }
    }
  }

  /** @throws NotFound, and what `expected` throws */
  delete(project: Project, id: string, precondition?: Precondition<ShortLink>): Promise<void> {
    const find = async () => found(await this.shortLinks.findForUpdate(project.id, id));
    return updateIfUnchanged(this.unitOfWork, precondition, find, async () => {
      if (!(await this.shortLinks.delete(project.id, id))) throw new NotFound('Short link');
    });
  }
}

function found(link: ShortLink | null): ShortLink {
  if (!link) throw new NotFound('Short link');
  return link;
}
