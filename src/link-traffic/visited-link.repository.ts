import type { LinkPath } from '../links/link-paths/custom-path';
import type { LinkOwnerships } from '../links/association-files/owned-paths';
import type { CachedLink } from './cached-link';
import type { CachedProject } from './cached-project';
import type { Site } from './site';

/** Reads the projects, apps and links of link traffic (docs/decisions/0020-read-models.md). */
export abstract class VisitedLinkRepository {
  /** Returns projects by site, without the sites that have none. */
  abstract findProjects(sites: Site[]): Promise<Map<Site, CachedProject>>;
  /** Returns links by key (`keyOf`), without the keys that have none. */
  abstract findLinks(keys: string[]): Promise<Map<string, CachedLink>>;
  /** Returns the meant paths by key (`keyOf` with the possible paths, joined by spaces), without the keys that mean none. */
  abstract findMeantPaths(keys: string[]): Promise<Map<string, LinkPath>>;
  /** Returns the paths of a project with the apps of their links; null if they are too many to derive anything from. */
  abstract findOwnedPaths(projectId: string): Promise<LinkOwnerships>;
}
