const everything = '/*';

const isPrefix = (pattern: string): boolean => pattern.endsWith('*');
const stem = (pattern: string): string => (isPrefix(pattern) ? pattern.slice(0, -1) : pattern);

/** Returns whether each path of `inner` is a path of `outer`. */
export const covers = (outer: string, inner: string): boolean =>
  isPrefix(outer) ? stem(inner).startsWith(stem(outer)) : outer === inner;

/** Returns the pattern of the paths that both patterns have; null if they have none. */
function intersectionOf(one: string, other: string): string | null {
  if (covers(one, other)) return other;
  return covers(other, one) ? one : null;
}

/** Returns the patterns of the paths that a version needs and its app had before. Null is all paths. */
const openedPatterns = (needed: readonly string[] | null, before: readonly string[] | null): string[] =>
  (needed ?? [everything]).flatMap((one) =>
    (before ?? [everything]).flatMap((other) => intersectionOf(one, other) ?? []),
  );

/** Returns the first pattern of paths that all three have; null without one. Null is all paths. */
export function sharedPattern(
  needed: readonly string[] | null,
  before: readonly string[] | null,
  others: readonly string[],
): string | null {
  const shared = openedPatterns(needed, before).flatMap((pattern) =>
    others.flatMap((taken) => intersectionOf(pattern, taken) ?? []),
  );
  return shared[0] ?? null;
}

/**
 * Returns the first pattern of paths that `needed` and `before` have and `after` lacks; null without one. Null is all paths. A prefix is
 * covered by a shorter prefix only, because other patterns of paths never have all that begin with it.
 */
export const lostPattern = (
  needed: readonly string[] | null,
  before: readonly string[] | null,
  after: readonly string[] | null,
): string | null =>
  openedPatterns(needed, before).find((pattern) => !(after ?? [everything]).some((outer) => covers(outer, pattern))) ??
  null;
