import { listOf } from '../../shared/rule';
import { text } from '../../shared/text';

/**
 * Accepts a pattern of paths. `*` is allowed at the end only, because Apple and Android read one inside a pattern differently.
 * Apple matches greedily, and Android up to the next occurrence of the character that follows.
 */
export const pathPattern = text({
  min: 1,
  max: 100,
  pattern: /^\/[A-Za-z0-9_.~/-]*\*?$/,
  patternSays: 'begin with a slash, consist of characters of paths, and have no * except at the end',
});

const maxPatterns = 50;

/** Reads the paths that open an app, without duplicates, in the order sent. An empty list opens none. */
export const appPaths = listOf(pathPattern, { maxItems: maxPatterns });

/** Returns whether the pattern matches a path with its leading slash, case-sensitively. */
export const matchesPattern = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

/**
 * Returns a matcher of paths that are inside any of the patterns, by the rule of `matchesPattern`. The work for a path depends on
 * how many lengths the prefixes have, and not on the number of patterns.
 */
export function matcherOf(patterns: Iterable<string>): (path: string) => boolean {
  const exact = new Set<string>();
  const prefixes = new Set<string>();
  for (const pattern of patterns) {
    if (pattern.endsWith('*')) prefixes.add(pattern.slice(0, -1));
    else exact.add(pattern);
  }
  const lengths = [...new Set([...prefixes].map(({ length }) => length))];
  return (path) => exact.has(path) || lengths.some((length) => prefixes.has(path.slice(0, length)));
}
