import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { type ListOf, Rows } from '../../platform/postgres/rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { LinkPath } from '../link-paths/custom-path';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { type NewShortLink, ShortLink } from './short-link';
import { SlugExists } from './short-link.errors';
import { type ShortLinkListRequest, ShortLinkRepository } from './short-link.repository';
import { ShortLinkSchema } from './short-link.schema';

const shortLinks: ListOf<'created_at'> = {
  owner: 'project_id',
  sortColumns: { created_at: 'created_at' },
  keptTotal: 'SELECT coalesce(sum(short_links), 0) AS count FROM project_counts WHERE project_id = $1',
};

const one = 't.project_id = $1 AND t.id = $2';

@Injectable()
export class TypeormShortLinkRepository extends ShortLinkRepository {
  readonly #rows: Rows<ShortLink>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#rows = new Rows(context, ShortLinkSchema);
  }

  private get table(): Repository<ShortLink> {
    return this.context.manager.getRepository(ShortLinkSchema);
  }

  async insert(fields: NewShortLink): Promise<ShortLink> {
    const link = Object.assign(new ShortLink(), fields);
    const refusals = {
      link_paths_one_namespace: () => new SlugExists(fields.slug),
      short_links_dynamic_link_fk: () => new NotFound('Dynamic link'),
    };
    await mapConstraintErrors(refusals, () => this.table.insert(link));
    return link;
  }

  find(projectId: string, id: string): Promise<ShortLink | null> {
    return this.#rows.find(one, [projectId, id]);
  }

  findForUpdate(projectId: string, id: string): Promise<ShortLink | null> {
    return this.#rows.findForUpdate(one, [projectId, id]);
  }

  list(projectId: string, { page, limit, dynamicLinkId }: ShortLinkListRequest): Promise<Page<ShortLink>> {
    return this.#rows.page(
      shortLinks,
      projectId,
      { page, limit, sortBy: 'created_at', sortOrder: 'desc' },
      { dynamic_link_id: dynamicLinkId },
    );
  }

  async findFree(projectId: string, candidates: LinkPath[]): Promise<LinkPath | null> {
    const [row] = await this.context.read<{ slug: LinkPath }>(
      `SELECT slug FROM unnest($2::text[]) AS candidate (slug)
       WHERE NOT EXISTS (SELECT FROM link_paths WHERE project_id = $1 AND path = slug COLLATE "C") LIMIT 1`,
      [projectId, candidates],
    );
    return row?.slug ?? null;
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const { affected } = await this.table.delete({ projectId, id });
    return affected === 1;
  }
}
