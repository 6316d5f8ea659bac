import { Injectable } from '@nestjs/common';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { translating } from '../database/database-error';
import { Session } from '../database/session';
import type { LinkPath } from '../link-paths/custom-path';
import { NotFound } from '../shared/domain-error';
import { containing } from '../shared/like-pattern';
import { offsetOf, type Page } from '../shared/page';
import { DynamicLink, type DynamicLinkChanges, type DynamicLinkSortKey, type NewDynamicLink } from './dynamic-link';
import { CustomPathExists } from './dynamic-link.errors';
import { type DynamicLinkListRequest, DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinkSchema } from './dynamic-link.schema';

/** As the indexes of `migrations/` have it: text sorts by code point. */
const sortColumns: Record<DynamicLinkSortKey, string> = {
  name: 'link.name COLLATE "C"',
  custom_path: 'link.custom_path',
  created_at: 'link.created_at',
  updated_at: 'link.updated_at',
};

@Injectable()
export class TypeormDynamicLinkRepository extends DynamicLinkRepository {
  constructor(private readonly session: Session) {
    super();
  }

  private get links(): Repository<DynamicLink> {
    return this.session.manager.getRepository(DynamicLinkSchema);
  }

  async insert(fields: NewDynamicLink & { id: string; projectId: string; customPath: LinkPath }): Promise<DynamicLink> {
    const link = Object.assign(new DynamicLink(), { ...unset, ...fields });
    const refusals = {
      link_paths_one_namespace: () => new CustomPathExists(fields.customPath),
      dynamic_links_project_fk: () => new NotFound('Project'),
    };
    await translating(refusals, () => this.links.insert(link as object));
    return link;
  }

  find(projectId: string, id: string): Promise<DynamicLink | null> {
    return this.links.findOneBy({ projectId, id });
  }

  async list(projectId: string, request: DynamicLinkListRequest): Promise<Page<DynamicLink>> {
    const query = this.links.createQueryBuilder('link').where('link.project_id = :projectId', { projectId });
    const { search, iosAppId, androidAppId } = request;
    if (search)
      query.andWhere('(link.name ILIKE :pattern OR link.custom_path ILIKE :pattern)', { pattern: containing(search) });
    if (iosAppId) query.andWhere('link.ios_app_id = :iosAppId', { iosAppId });
    if (androidAppId) query.andWhere('link.android_app_id = :androidAppId', { androidAppId });
    const whole = !search && !iosAppId && !androidAppId;
    const total = await (whole ? this.countAll(projectId) : query.getCount());
    const offset = offsetOf(request, total);
    return { items: offset === null ? [] : await inOrder(query, request).offset(offset).getMany(), total };
  }

  /** The kept count: counting the rows of a large project would take longer than reading a page of them. */
  private async countAll(projectId: string): Promise<number> {
    const [row] = await this.session.manager.query<{ count: string }[]>(
      'SELECT coalesce(sum(count), 0) AS count FROM dynamic_link_counts WHERE project_id = $1',
      [projectId],
    );
    return Number(row!.count);
  }

  async update(projectId: string, id: string, changes: DynamicLinkChanges): Promise<DynamicLink | null> {
    const refusals = { link_paths_one_namespace: () => new CustomPathExists(String(changes.customPath)) };
    if (Object.keys(changes).length > 0)
      await translating(refusals, () => this.links.update({ projectId, id }, changes as object));
    return this.find(projectId, id);
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const { affected } = await this.links.delete({ projectId, id });
    return affected === 1;
  }
}

function inOrder(
  query: SelectQueryBuilder<DynamicLink>,
  { sortBy, sortOrder, limit }: DynamicLinkListRequest,
): SelectQueryBuilder<DynamicLink> {
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  return query.orderBy(sortColumns[sortBy], direction).addOrderBy('link.id', direction).limit(limit);
}

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
} satisfies Partial<DynamicLink>;
