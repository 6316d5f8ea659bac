import type { VisitedProject } from '../link-routing/visited-link';
import type { CachedLink } from './cached-link';
import type { Site } from './site';

/** What link traffic reads of projects, their apps and their links (docs/decisions/0020-read-models.md). */
export abstract class VisitedLinkRepository {
  /** By site; one where no project answers is left out. */
  abstract findProjects(sites: Site[]): Promise<Map<Site, VisitedProject>>;
  /** By key (`keyOf`); one that names no link is left out. */
  abstract findLinks(keys: string[]): Promise<Map<string, CachedLink>>;
}
