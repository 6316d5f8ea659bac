import { matcherOf } from '../../link-paths/association-files/app-paths';
import type { NeighbourPaths } from '../../link-paths/association-files/path-scope';

/** A path under the project's hosts with the app of one platform that its link names. */
export interface OwnedPath {
  /** Without the leading slash. */
  path: string;
  /** Null if the link names no app of the platform. */
  appId: string | null;
}

interface OwnedPattern {
  pattern: string;
  appId: string | null;
}

interface ScopedApp {
  id: string;
  /** Null if the links decide. */
  paths: readonly string[] | null;
}

/** Returns whether the association file depends on the links: another app could open those of an app without own paths. */
export const dependsOnLinks = (apps: readonly Pick<ScopedApp, 'paths'>[]): boolean =>
  apps.length > 1 && apps.some((app) => app.paths === null);

/**
 * Derives the paths that each app without own patterns leaves to the other apps of its platform. Returns null once they have more
 * than `maxCharacters` in total, because a project may have many apps, patterns and links.
 * @param links all links of the project; null if they are too many, which leaves only the patterns of other apps
 */
export function neighbourPaths(
  apps: readonly ScopedApp[],
  links: readonly OwnedPath[] | null,
  maxCharacters: number,
): ReadonlyMap<string, NeighbourPaths> | null {
  const derived = apps.filter((app) => app.paths === null);
  // The same for all derived apps, because they have no patterns.
  const claimed = new Set(apps.flatMap((app) => app.paths ?? []));
  if (derived.length * charactersOf(claimed) > maxCharacters) return null;

  const isClaimed = matcherOf(claimed);
  const own = (links ?? [])
    .map(({ path, appId }) => ({ pattern: `/${path}`, appId }))
    .filter(({ pattern }) => isClaimed(pattern));
  const unclaimed = ownedPatterns(links ?? []).filter(({ pattern }) => !claimed.has(pattern));
  const patternsOf = (owned: readonly OwnedPattern[], isOf: (appId: string | null) => boolean) =>
    owned.flatMap(({ pattern, appId }) => (isOf(appId) ? [pattern] : []));
  let characters = 0;
  const neighbours = new Map<string, NeighbourPaths>();
  for (const { id } of derived) {
    const ofApp = patternsOf(own, (appId) => appId === id);
    const foreign = [...claimed, ...patternsOf(unclaimed, (appId) => appId !== id)];
    characters += charactersOf(ofApp) + charactersOf(foreign);
    if (characters > maxCharacters) return null;
    neighbours.set(id, { own: ofApp, foreign });
  }
  return neighbours;
}

function charactersOf(patterns: Iterable<string>): number {
  let sum = 0;
  for (const pattern of patterns) sum += pattern.length;
  return sum;
}

/**
 * Returns the paths of the links that name an app. Paths with the same first segment become one pattern if their links all name
 * the same app. So new links in such a folder open their app although phones have an older file.
 */
function ownedPatterns(links: readonly OwnedPath[]): OwnedPattern[] {
  const folders = new Map<string, { size: number; appId: string | null }>();
  for (const { path, appId } of links) {
    const folder = folderOf(path);
    if (folder === null) continue;
    const known = folders.get(folder);
    folders.set(folder, { size: (known?.size ?? 0) + 1, appId: !known || known.appId === appId ? appId : null });
  }
  const patterns = new Map<string, string>();
  for (const { path, appId } of links) {
    if (appId === null) continue;
    const folder = folderOf(path);
    const shared = folder === null ? undefined : folders.get(folder);
    patterns.set(shared && shared.size > 1 && shared.appId === appId ? `/${folder}*` : `/${path}`, appId);
  }
  return [...patterns].map(([pattern, appId]) => ({ pattern, appId }));
}

/** Returns the first segment with its slash; null for a path of one segment. */
function folderOf(path: string): string | null {
  const slash = path.indexOf('/');
  return slash < 0 ? null : path.slice(0, slash + 1);
}
