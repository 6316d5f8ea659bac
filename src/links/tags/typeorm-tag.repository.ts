import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { entitySchema } from '../../platform/postgres/entity-schemas';
import { EntityRows } from '../../platform/tables/entity-rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page, PageRequest } from '../../shared/page';
import { type NewTag, type Tag, type TagSortKey, TagExists } from './tag';
import { idColumns, timeColumns } from '../../platform/tables/field-columns';

type TagRow = Tag & { retiredAt: Date | null };

/**
 * Selects the number of links. They are counted one by one while some still have the id of a merged tag, because a link may have
 * both.
 */
const linksOf = (tag: string): string => `
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = ${tag}.id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = ${tag}.project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT ${tag}.id UNION ALL SELECT id FROM tags WHERE merged_into = ${tag}.id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = ${tag}.id) END)::int`;

export const TagSchema = entitySchema<TagRow>({
  name: 'Tag',
  tableName: 'tags',
  columns: {
    ...idColumns,
    name: { type: 'text' },
    foldedName: { type: 'text', name: 'folded_name' },
    links: { type: 'integer', virtualProperty: true, query: linksOf },
    ...timeColumns,
    retiredAt: { type: 'timestamptz', name: 'retired_at', deleteDate: true, select: false },
  },
});

@Injectable()
export class TypeormTagRepository {
  readonly #tags: EntityRows<TagRow>;

  constructor(context: TransactionContext) {
    this.#tags = new EntityRows(context, TagSchema);
  }

  /** @throws TagExists, NotFound if the project is gone */
  insert(tag: NewTag): Promise<Tag> {
    return this.#tags.insert({ ...tag, links: 0 }, errorsByConstraint(tag.name));
  }

  find(projectId: string, id: string): Promise<Tag | null> {
    return this.#tags.find({ projectId, id });
  }

  /** Finds the tag, and locks it until the unit of work ends. */
  findForUpdate(projectId: string, id: string): Promise<Tag | null> {
    return this.#tags.findForUpdate({ projectId, id });
  }

  /** Returns the id of the project that has the tag, in any account; null if no tag has the id. */
  async findProjectOf(id: string): Promise<string | null> {
    const inProject = 'p.id = t.project_id AND p.deleted_at IS NULL';
    const tag = await this.#tags.query({ id }).innerJoin('projects', 'p', inProject).getOne();
    return tag?.projectId ?? null;
  }

  list(projectId: string, request: PageRequest<TagSortKey>): Promise<Page<Tag>> {
    return this.#tags.page(this.#tags.query({ projectId }), ['t.name'], request);
  }

  /**
   * Returns null if the project has no such tag.
   * @throws TagExists
   */
  rename(projectId: string, id: string, names: Pick<Tag, 'name' | 'foldedName'>): Promise<Tag | null> {
    const where = { projectId, id, retiredAt: IsNull() };
    return this.#tags.update(where, names, errorsByConstraint(names.name));
  }
}

const errorsByConstraint = (name: string) => ({
  tags_name_unique: () => new TagExists(name),
  tags_project_fk: () => new NotFound('Project'),
});
