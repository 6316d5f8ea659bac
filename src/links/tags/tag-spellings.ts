import type { PgTagsOfLinksRepository } from './pg-tags-of-links.repository';
import { foldTag } from './tag';

/** Tags by their folded names, and the ids of those that were created. */
interface EnsuredTags {
  tags: Map<string, { id: string; name: string }>;
  created: string[];
}

/**
 * Finds or creates tags like `ensure`, for names in several spellings, of which the first one counts. Some of the names may not be used
 * in the end: call `settleSpellings` then.
 */
export async function ensureSpellings(
  repository: PgTagsOfLinksRepository,
  projectId: string,
  names: readonly string[],
): Promise<EnsuredTags> {
  const byFolded = firstSpellings(names);
  const ensured = await repository.ensure(projectId, [...byFolded.values()]);
  return {
    tags: new Map([...byFolded.keys()].map((folded, at) => [folded, ensured[at]!])),
    created: ensured.filter(({ isNew }) => isNew).map(({ id }) => id),
  };
}

/**
 * Gives the tags that `ensureSpellings` has created the first spelling of those `names` that were used, and removes the others.
 * Returns the new spellings by folded names.
 */
export async function settleSpellings(
  repository: PgTagsOfLinksRepository,
  { tags, created }: EnsuredTags,
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
  await repository.removeUnused(unused);
  await repository.respell(spellings);
  return renamed;
}

/** Returns the first spelling of each name by its folded name. */
const firstSpellings = (names: readonly string[]): Map<string, string> =>
  new Map(names.toReversed().map((name) => [foldTag(name), name]));
