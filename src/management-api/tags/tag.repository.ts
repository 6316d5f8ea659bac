import type { Page, PageRequest } from '../../shared/page';
import { foldTag, type NewTag, type Tag, type TagSortKey } from './tag';

export abstract class TagRepository {
  /** @throws TagExists, NotFound if the project is gone */
  abstract insert(tag: NewTag): Promise<Tag>;
  abstract find(projectId: string, id: string): Promise<Tag | null>;
  /** Finds the tag, and locks it until the unit of work ends. */
  abstract findForUpdate(projectId: string, id: string): Promise<Tag | null>;
  /** Returns the id of the project that has the tag, in any account; null if no tag has the id. */
  abstract findProjectOf(id: string): Promise<string | null>;
  abstract list(projectId: string, request: PageRequest<TagSortKey>): Promise<Page<Tag>>;
  /**
   * Returns null if the project has no such tag.
   * @throws TagExists
   */
  abstract rename(projectId: string, id: string, names: Pick<Tag, 'name' | 'foldedName'>): Promise<Tag | null>;
  /**
   * Takes the tag from its project at once. Links lose it, or have `mergedInto` in its place. Of many links, some keep an id that
   * nobody sees; `purgeSome` removes it. Returns null if the project has no such tag.
   */
  abstract retire(projectId: string, id: string, mergedInto: string | null): Promise<{ linksRemain: boolean } | null>;
  /**
   * Returns the tags with these names, in their order, and creates those that are missing. They cannot be retired until the
   * unit of work ends.
   */
  abstract ensure(projectId: string, names: readonly string[]): Promise<{ id: string; name: string; isNew: boolean }[]>;

  /** Does the same for names in several spellings, of which the first one counts. Returns the tags by their folded names. */
  async ensureSpellings(
    projectId: string,
    names: readonly string[],
  ): Promise<{ tags: Map<string, { id: string; name: string }>; created: string[] }> {
    const byFolded = new Map<string, string>();
    for (const name of names) if (!byFolded.has(foldTag(name))) byFolded.set(foldTag(name), name);
    const ensured = await this.ensure(projectId, [...byFolded.values()]);
    return {
      tags: new Map([...byFolded.keys()].map((folded, at) => [folded, ensured[at]!])),
      created: ensured.filter(({ isNew }) => isNew).map(({ id }) => id),
    };
  }

  /** Removes those of the tags that this unit of work has created and no link has. */
  abstract removeUnused(ids: string[]): Promise<void>;
  /** Returns the ids that links with the tag may have: its own first, then those of tags that were merged into it. */
  abstract idsOf(projectId: string, name: string): Promise<string[]>;
  /**
   * Returns the ids of `idsOf` by the folded name of each tag that the project has. Those tags cannot be renamed, merged or retired
   * until the unit of work ends.
   */
  abstract holdIdsOf(projectId: string, names: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
  /** Removes a retired tag from up to `batch` links. Returns true if no retired tag is left for this process. */
  abstract purgeSome(batch: number): Promise<boolean>;
}
