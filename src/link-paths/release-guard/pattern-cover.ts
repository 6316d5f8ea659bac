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

/** Returns the first pattern of paths that all three have; null without one. Null is all paths. */
export function sharedPattern(
  needed: readonly string[] | null,
  before: readonly string[] | null,
  others: readonly string[],
): string | null {
  for (const one of needed ?? [everything])
    for (const other of before ?? [everything]) {
      const pattern = intersectionOf(one, other);
      const shared = pattern === null ? [] : others.flatMap((taken) => intersectionOf(pattern, taken) ?? []);
      if (shared.length > 0) return shared[0]!;
    }
  return null;
}

/**
 * Returns the first pattern of paths that `needed` and `before` have and `after` lacks; null without one. Null is all paths. A prefix is
 * covered by a shorter prefix only, because other patterns of paths never have all that begin with it.
 */
export function lostPattern(
  needed: readonly string[] | null,
  before: readonly string[] | null,
  after: readonly string[] | null,
): string | null {
  const served = after ?? [everything];
  for (const one of needed ?? [everything])
    for (const other of before ?? [everything]) {
      const pattern = intersectionOf(one, other);
      if (pattern !== null && !served.some((outer) => covers(outer, pattern))) return pattern;
    }
  return null;
}
