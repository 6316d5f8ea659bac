import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { EntityRows } from '../../platform/tables/entity-rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page, PageRequest } from '../../shared/page';
import { type NewTag, type Tag, type TagSortKey, TagExists } from './tag';
import { type TagRow, TagSchema } from './tag.schema';

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
