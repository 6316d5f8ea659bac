import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project';
import { foldTag, maxTags } from '../tags/tag';
import { PgTagsOfLinksRepository } from '../tags/pg-tags-of-links.repository';
import { UnitOfWork } from '../../shared/unit-of-work';
import { CountMismatch } from './bulk.errors';
import { DynamicLinkPurge } from '../dynamic-links/dynamic-link-purge';
import { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import { type NamedFilters, tagFilterOf } from '../dynamic-links/tag-filter';
import { type BulkAction, type BulkActionResult, maxFilteredLinks, tooManyTags } from './bulk-action';
import { maxBulkOperations } from './bulk-operation';
import { type LinkState, PgMatchingLinkRepository } from './pg-matching-link.repository';

type Outcome = Pick<BulkActionResult, 'changed' | 'failures'> & { rowsRemain?: boolean };

const states = {
  archive: { archived: true },
  unarchive: { archived: false },
  disable: { disabled: true },
  enable: { disabled: false },
} satisfies Record<string, LinkState>;

/** Changes the links that a filter finds, if their number is as expected. */
@Injectable()
export class BulkByFilterService {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly matching: PgMatchingLinkRepository,
    private readonly tags: PgTagsOfLinksRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly purge: DynamicLinkPurge,
  ) {}

  /**
   * Changes the first `maxFilteredLinks` links, in the order of their ids, in one transaction. They are locked before their number is
   * compared, so that exactly the counted links change. Links that others create meanwhile are left out.
   *
   * @param after the id that precedes the first link; null for all links
   * @throws CountMismatch if the filter finds another number of links after that id
   * @throws ConcurrencyLimited if other bulk requests of the project take too long
   * @throws QueryTooExpensive
   */
  async run(
    project: Project,
    filters: NamedFilters,
    action: BulkAction,
    expected: number,
    after: string | null,
  ): Promise<BulkActionResult> {
    const { result, rowsRemain } = await this.unitOfWork.run(async () => {
      await this.links.beginBulk(project.id);
      // Tags, then links: single requests lock in this order too.
      const tags = await this.#holdTags(project, filters, action);
      const { total, ids } = await this.#lock(project, filters, tags.idsOf, after);
      if (total !== expected) throw new CountMismatch(expected, total);
      const { changed, failures, rowsRemain } = await this.#changeAll(project, ids, action, tags.ofAction);
      await this.tags.removeUnused(tags.created);
      const remaining = total - ids.length;
      const unchanged = ids.length - changed - failures.length;
      const nextAfter = remaining > 0 ? ids.at(-1)! : null;
      return { result: { matched: total, changed, unchanged, failures, remaining, nextAfter }, rowsRemain };
    });
    if (rowsRemain) this.unitOfWork.afterCommit(() => void this.purge.sweep());
    return result;
  }

  /** Holds the tags of filters and action in one order, so that merges do not wait in another one, and creates those to add. */
  async #holdTags(project: Project, { tag, exclude_tag: excludedTag }: NamedFilters, action: BulkAction) {
    const named = 'tags' in action ? action.tags : [];
    const held = await this.tags.holdIdsOf(
      project.id,
      [...named, tag, excludedTag].filter((name) => name !== undefined),
    );
    const idsOf = (name: string): string[] => held.get(foldTag(name)) ?? [];
    if (action.name !== 'add_tags') return { idsOf, ofAction: named.flatMap(idsOf), created: [] };
    const ensured = await this.tags.ensure(project.id, named);
    return {
      idsOf,
      ofAction: ensured.map(({ id }) => id),
      created: ensured.filter(({ isNew }) => isNew).map(({ id }) => id),
    };
  }

  async #lock(
    project: Project,
    filters: NamedFilters,
    idsOf: (name: string) => string[],
    after: string | null,
  ): Promise<{ total: number; ids: string[] }> {
    const tags = await tagFilterOf(filters, (name) => Promise.resolve(idsOf(name)));
    if (tags === null) return { total: 0, ids: [] };
    return this.matching.lockMatching(project.id, { ...filters, tags }, after, maxFilteredLinks);
  }

  async #changeAll(project: Project, ids: string[], action: BulkAction, tagIds: string[]): Promise<Required<Outcome>> {
    const all: Required<Outcome> = { changed: 0, failures: [], rowsRemain: false };
    // A statement about more links would send notifications that empty all caches.
    for (let at = 0; at < ids.length; at += maxBulkOperations) {
      const outcome = await this.#change(project.id, ids.slice(at, at + maxBulkOperations), action, tagIds);
      all.changed += outcome.changed;
      all.failures.push(...outcome.failures);
      all.rowsRemain ||= outcome.rowsRemain ?? false;
    }
    return all;
  }

  async #change(projectId: string, ids: string[], { name }: BulkAction, tagIds: string[]): Promise<Outcome> {
    if (name === 'add_tags') {
      const { changed, refused } = await this.matching.addTags(projectId, ids, tagIds, maxTags);
      return { changed, failures: refused.map((link) => ({ ...link, error: tooManyTags() })) };
    }
    if (name === 'remove_tags')
      return { changed: await this.matching.removeTags(projectId, ids, tagIds), failures: [] };
    if (name !== 'delete') return { changed: await this.matching.setState(projectId, ids, states[name]), failures: [] };
    const deleted = [...(await this.links.deleteAll(projectId, ids)).values()];
    return { changed: deleted.length, failures: [], rowsRemain: deleted.some(({ rowsRemain }) => rowsRemain) };
  }
}
