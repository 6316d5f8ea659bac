import { foldTag } from './tag';

/** Finds, creates and removes tags as changes of links need them. */
export abstract class TagsOfLinksRepository {
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

  /**
   * Does the same for names in several spellings, of which the first one counts. Returns the tags by their folded names. Some of the
   * names may not be used in the end: call `settleSpellings` then.
   */
  async ensureSpellings(
    projectId: string,
    names: readonly string[],
  ): Promise<{ tags: Map<string, { id: string; name: string }>; created: string[] }> {
    const byFolded = firstSpellings(names);
    const ensured = await this.ensure(projectId, [...byFolded.values()]);
    return {
      tags: new Map([...byFolded.keys()].map((folded, at) => [folded, ensured[at]!])),
      created: ensured.filter(({ isNew }) => isNew).map(({ id }) => id),
    };
  }

  /**
   * Gives the tags that `ensureSpellings` has created the first spelling of those `names` that were used, and removes the others.
   * Returns the new spellings by folded names.
   */
  async settleSpellings(
    { tags, created }: Awaited<ReturnType<TagsOfLinksRepository['ensureSpellings']>>,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const used = firstSpellings(names);
    const isNew = new Set(created);
    const renamed = new Map<string, string>();
    const spellings = new Map<string, string>();
    const unused: string[] = [];
    for (const [folded, { id, name }] of tags) {
      if (!isNew.has(id)) continue;
      const spelling = used.get(folded);
      if (spelling === undefined) unused.push(id);
      else if (spelling !== name) {
        renamed.set(folded, spelling);
        spellings.set(id, spelling);
      }
    }
    await this.removeUnused(unused);
    await this.respell(spellings);
    return renamed;
  }

  /** Removes those of the tags that this unit of work has created and no link has. */
  abstract removeUnused(ids: string[]): Promise<void>;
  /** Changes the spelling of tags that this unit of work has created. */
  protected abstract respell(names: ReadonlyMap<string, string>): Promise<void>;
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

/** Returns the first spelling of each name by its folded name. */
function firstSpellings(names: readonly string[]): Map<string, string> {
  const byFolded = new Map<string, string>();
  for (const name of names) if (!byFolded.has(foldTag(name))) byFolded.set(foldTag(name), name);
  return byFolded;
}
