import { matchesPattern } from '../management-api/mobile-apps/app-paths';
import { type NeighbourPaths, noNeighbours } from '../management-api/mobile-apps/path-scope';

/** A path under the project's hosts with the app of one platform that its link names. */
export interface OwnedPath {
  /** Without the leading slash. */
  path: string;
  /** Null if the link names no app of the platform. */
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
 * Derives the paths that each app without own patterns leaves to the other apps of its platform.
 * @param links all links of the project; null if they are too many, which leaves only the patterns of other apps
 */
export function neighbourPaths(
  apps: readonly ScopedApp[],
  links: readonly OwnedPath[] | null,
): ReadonlyMap<string, NeighbourPaths> {
  const patterns = links === null ? [] : ownedPatterns(links);
  const derived = apps.filter((app) => app.paths === null);
  return new Map(
    derived.map(({ id }) => {
      const claimed = apps.flatMap((app) => (app.id === id ? [] : (app.paths ?? [])));
      const foreign = patterns.flatMap((owned) => (owned.appId === id ? [] : [owned.pattern]));
      const own = (links ?? [])
        .filter((link) => link.appId === id)
        .map(({ path }) => `/${path}`)
        .filter((path) => claimed.some((pattern) => matchesPattern(pattern, path)));
      if (claimed.length + foreign.length === 0) return [id, noNeighbours];
      return [id, { own, foreign: [...new Set([...claimed, ...foreign])] }];
    }),
  );
}

/**
 * Returns the paths of the links that name an app. Paths with the same first segment become one pattern if their links all name
 * the same app. So new links in such a folder open their app although phones have an older file.
 */
function ownedPatterns(links: readonly OwnedPath[]): { pattern: string; appId: string }[] {
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
