import { Injectable } from '@nestjs/common';
import { CrossScope, NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import type { Page, PageRequest } from '../../shared/page';
import { type Precondition, updateIfUnchanged } from '../../shared/precondition';
import { InvalidInput } from '../../shared/problem';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { Project } from '../projects/project';
import { foldTag, type Tag, type TagSortKey } from './tag';
import { TagPurge } from './tag-purge';
import { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';
import { TypeormTagRepository } from './typeorm-tag.repository';

@Injectable()
export class TagsService {
  constructor(
    private readonly tags: TypeormTagRepository,
    private readonly tagsOfLinks: PgTagsOfLinksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly purge: TagPurge,
  ) {}

  list(project: Project, request: PageRequest<TagSortKey>): Promise<Page<Tag>> {
    return this.tags.list(project.id, request);
  }

  /** @throws TagExists */
  create(project: Project, name: string): Promise<Tag> {
    return this.tags.insert({ id: newId(), projectId: project.id, name, foldedName: foldTag(name) });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<Tag> {
    return requireFound(await this.tags.find(project.id, id), 'Tag');
  }

  /** @throws NotFound, TagExists, and what the precondition throws */
  rename(project: Project, id: string, name: string | undefined, precondition?: Precondition<Tag>): Promise<Tag> {
    return this.#change(project, id, precondition, () =>
      name === undefined
        ? this.get(project, id)
        : this.tags.rename(project.id, id, { name, foldedName: foldTag(name) }).then((tag) => requireFound(tag, 'Tag')),
    );
  }

  /**
   * Takes the tag from all links at once. Their rows change in batches afterwards.
   * @throws NotFound, and what the precondition throws
   */
  async delete(project: Project, id: string, precondition?: Precondition<Tag>): Promise<void> {
    const { linksRemain } = await this.#change(project, id, precondition, async () =>
      requireFound(await this.tagsOfLinks.retire(project.id, id, null), 'Tag'),
    );
    if (linksRemain) void this.purge.sweep();
  }

  /**
   * Gives all links with the tag another one in its place, at once. Their rows change in batches afterwards.
   * @returns the other tag
   * @throws NotFound, CrossScope, InvalidInput
   */
  async merge(project: Project, id: string, into: string): Promise<Tag> {
    const { merged, linksRemain } = await this.unitOfWork.run(async () => {
      const tagsByName = new Map<string, Tag | null>();
      // In one order, so that two merges do not wait for each other.
      for (const each of [id, into].sort()) tagsByName.set(each, await this.tags.findForUpdate(project.id, each));
      requireFound(tagsByName.get(id)!, 'Tag');
      if (!tagsByName.get(into)) throw await this.#refusalOf(into);
      if (id === into) throw InvalidInput.asAWhole('invalid_format', 'into must be another tag', ['into']);
      const { linksRemain } = requireFound(await this.tagsOfLinks.retire(project.id, id, into), 'Tag');
      return { merged: await this.get(project, into), linksRemain };
    });
    if (linksRemain) void this.purge.sweep();
    return merged;
  }

  async #refusalOf(id: string): Promise<Error> {
    const owner = await this.tags.findProjectOf(id);
    return owner === null ? new NotFound('The tag of into') : new CrossScope('The tag of into');
  }

  #change<R>(
    project: Project,
    id: string,
    precondition: Precondition<Tag> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => requireFound(await this.tags.findForUpdate(project.id, id), 'Tag');
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}
