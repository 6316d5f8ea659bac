import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { LinkRows } from '../../platform/tables/link-rows';
import type { ListDefinition } from '../../platform/tables/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { type NewShortLink, type ShortLink, SlugExists } from './short-link';
import { ShortLinkSchema } from './short-link.schema';

const shortLinks: ListDefinition<'created_at'> = {
  // Links that are deleted and not purged yet are few, mostly none. The planner estimates that coalesce() is true for half of the
  // rows. For `<> ALL` it estimates that no row is left if most short links belong to one link, and then reads the whole table.
  only: `NOT coalesce(t.dynamic_link_id = ANY (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)), false)`,
  sortColumns: { created_at: 'created_at' },
  keptTotal: ({ dynamic_link_id: link }) =>
    link === undefined ? 'SELECT coalesce(sum(short_links), 0) FROM project_counts WHERE project_id = $1' : null,
};

export interface ShortLinkListRequest {
  page: number;
  limit: number;
  dynamicLinkId?: string;
}

@Injectable()
export class PgShortLinkRepository {
  readonly #links: LinkRows<ShortLink, 'created_at'>;

  constructor(private readonly context: TransactionContext) {
    this.#links = new LinkRows(context, ShortLinkSchema, shortLinks);
  }

  /**
   * @throws SlugExists if any link of the project has the path
   * @throws NotFound if the dynamic link is gone
   */
  insert(link: NewShortLink): Promise<ShortLink> {
    const errors = {
      link_paths_one_namespace: () => new SlugExists(link.slug),
      short_links_dynamic_link_fk: () => new NotFound('Dynamic link'),
    };
    return mapConstraintErrors(errors, () => this.#links.insert(link));
  }

  find(projectId: string, id: string): Promise<ShortLink | null> {
    return this.#links.find(projectId, id);
  }

  /** Finds the link, and locks it until the unit of work ends. */
  findForUpdate(projectId: string, id: string): Promise<ShortLink | null> {
    return this.#links.findForUpdate(projectId, id);
  }

  list(projectId: string, { page, limit, dynamicLinkId }: ShortLinkListRequest): Promise<Page<ShortLink>> {
    return this.#links.page(
      projectId,
      { page, limit, sortBy: 'created_at', sortOrder: 'desc' },
      { dynamic_link_id: dynamicLinkId },
    );
  }

  /** Counts the short links of a dynamic link, up to `max`. */
  async countUpTo(max: number, projectId: string, dynamicLinkId: string): Promise<number> {
    const [row] = await this.context.read<{ count: string }>(
      `SELECT count(*) AS count FROM (
         SELECT FROM short_links WHERE project_id = $1 AND dynamic_link_id = $2 LIMIT $3
       ) AS counted`,
      [projectId, dynamicLinkId, max],
    );
    return Number(row!.count);
  }

  /** Returns a candidate that no link of the project has; null if all are taken. */
  async findFree(projectId: string, candidates: LinkPath[]): Promise<LinkPath | null> {
    const [row] = await this.context.read<{ slug: LinkPath }>(
      `SELECT slug FROM unnest($2::text[]) AS candidate (slug)
       WHERE NOT EXISTS (SELECT FROM link_paths WHERE project_id = $1 AND path = slug COLLATE "C") LIMIT 1`,
      [projectId, candidates],
    );
    return row?.slug ?? null;
  }

  /** Returns false if the project has no such short link. */
  delete(projectId: string, id: string): Promise<boolean> {
    return this.#links.delete(projectId, id);
  }
}
