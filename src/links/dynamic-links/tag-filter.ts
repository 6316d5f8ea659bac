import type { DynamicLinkFilters } from './dynamic-link.repository';

/** Names of tags that links of a list have, or do not have. */
interface NamedTags {
  tag?: string;
  exclude_tag?: string;
}

/** Filters of a list as a caller names them. */
export type NamedFilters = Omit<DynamicLinkFilters, 'tags'> & NamedTags;

/** Returns the filter by ids of tags. Returns null if no link can match, because the project does not have the tag. */
export async function tagFilterOf(
  { tag, exclude_tag: excludedTag }: NamedTags,
  findIds: (name: string) => Promise<string[]>,
): Promise<DynamicLinkFilters['tags'] | null> {
  const included = tag === undefined ? undefined : await findIds(tag);
  if (included?.length === 0) return null;
  const excluded = excludedTag === undefined ? undefined : await findIds(excludedTag);
  return { with: included, without: excluded?.length === 0 ? undefined : excluded };
}
