import { NotifyInvalidatedCache } from '../../platform/change-notifications/notify-invalidated-cache';
import type { ChangeListener } from '../../platform/change-notifications/change-listener';
import { CircuitBreaker } from '../../shared/circuit-breaker';
import { BatchLoader } from '../../platform/tables/batch-loader';
import { type LinkPath, linkPath as storedPath } from '../../link-paths/paths/custom-path';
import { subdomainRule } from '../../links/projects/subdomain';
import type { Clock } from '../../shared/clock';
import { meantPaths } from '../../link-routing/visited-link/meant-paths';
import { visitedAs } from '../../link-routing/visited-link/own-address';
import { keyOf, type CachedLink, type CachedProject } from './cached-models';
import { customHostnameOf, type Site } from './site';
import type { PgVisitedLinkRepository } from './pg-visited-link.repository';
import type { Target } from './target';
import type { VisitorKeys } from './visitor-keys';

/**
 * Queries of one kind at a time, because a large query costs the process and PostgreSQL less than many small ones.
 *
 * Measured: the first visit of a link takes 50 µs of the process instead of 80, and 17 µs of PostgreSQL instead of 25.
 */
const maxQueries = 1;

interface VisitedTarget {
  link: CachedLink;
  path: LinkPath;
  query: string;
}

/**
 * Finds projects and links for visitors, in a cache that notifications invalidate, or in the database. Look-ups of one
 * event-loop turn share a query.
 */
export class LinkResolver {
  readonly #projects: NotifyInvalidatedCache<CachedProject>;
  readonly #links: NotifyInvalidatedCache<CachedLink>;
  readonly #meantPaths: BatchLoader<LinkPath>;

  /** @param cacheBytes maximum size of the link cache; the project cache gets a quarter of it in addition */
  constructor(
    repository: PgVisitedLinkRepository,
    changeListener: ChangeListener,
    clock: Clock,
    cacheBytes: number,
    private readonly visitorKeys: Pick<VisitorKeys, 'isCurrent' | 'read'>,
  ) {
    const circuitBreaker = new CircuitBreaker();
    const projects = new BatchLoader((sites) => repository.findProjects(sites as Site[]), {
      maxRunning: maxQueries,
    });
    const links = new BatchLoader((keys) => repository.findLinks(keys), { maxRunning: maxQueries });
    this.#meantPaths = new BatchLoader((keys) => repository.findMeantPaths(keys), { maxRunning: maxQueries });
    this.#projects = new NotifyInvalidatedCache(changeListener, clock, (site) => projects.find(site), {
      bytes: cacheBytes / 4,
      sizeOf: sizeOfProject,
      subjectsOf: (project) => [project.id],
      circuitBreaker,
    });
    this.#links = new NotifyInvalidatedCache(changeListener, clock, (key) => links.find(key), {
      bytes: cacheBytes,
      sizeOf: sizeOfLink,
      subjectsOf: ({ id, templateId }) => (templateId === null ? [id] : [id, templateId]),
      circuitBreaker,
    });
    changeListener.onChanges((changes) => {
      for (const id of changes.projects ?? []) this.#projects.evictSubject(id);
      for (const id of [...(changes.links ?? []), ...(changes.templates ?? [])]) this.#links.evictSubject(id);
      for (const path of changes.paths ?? []) this.#links.evict(path);
    });
  }

  /** Returns the cached project; undefined if a query is necessary. */
  knownProject(site: Site): CachedProject | undefined {
    return this.#projects.peek(site);
  }

  /** Returns null if no project answers on this host; synchronously if the host cannot name one. */
  findProject(site: Site): Promise<CachedProject | null> | null {
    if (customHostnameOf(site) === null && subdomainRule.tryParse(site) === null) return null;
    return this.#projects.find(site);
  }

  /** Returns the cached link; undefined if a query is necessary, for the link or for the key that chooses its variants. */
  knownLink(project: CachedProject, path: string): CachedLink | undefined {
    const link = this.#links.peek(keyOf(project.id, path));
    return link?.isSplit && !this.visitorKeys.isCurrent ? undefined : link;
  }

  /** Returns null if the project has no link at this path. */
  async findLink(project: CachedProject, path: string): Promise<CachedLink | null> {
    const link = await this.#links.find(keyOf(project.id, path));
    if (link?.isSplit && !this.visitorKeys.isCurrent) await this.visitorKeys.read();
    return link;
  }

  /** Returns the first of the paths that a link has, in any letter case; null if none. Not cached, because a new link changes it. */
  findMeantPath(project: CachedProject, paths: readonly LinkPath[]): Promise<LinkPath | null> {
    return this.#meantPaths.find(keyOf(project.id, paths.join(' ')));
  }

  /** Returns the cached link of the path, or finds the one that the visitor means. */
  async visitedAt(project: CachedProject, target: Target): Promise<VisitedTarget | null> {
    const link = this.knownLink(project, target.linkPath);
    // The cast is safe, because only valid paths are cached.
    return link ? { link, path: target.linkPath as LinkPath, query: target.query } : this.findVisited(project, target);
  }

  /** Finds the link of the path. Without one, finds the link that the visitor means. */
  async findVisited(project: CachedProject, { sentPath, linkPath, query }: Target): Promise<VisitedTarget | null> {
    const asked = storedPath.tryParse(linkPath);
    const exact = asked && (await this.findLink(project, asked));
    if (asked && exact) return { link: exact, path: asked, query };
    const meant = meantPaths(sentPath);
    const path = meant.paths.length === 0 ? null : await this.findMeantPath(project, meant.paths);
    const link = path && (this.knownLink(project, path) ?? (await this.findLink(project, path)));
    if (!path || !link) return null;
    return { link: visitedAs(link, linkPath), path, query: [meant.query, query].filter(Boolean).join('&') };
  }

  get caches(): Record<string, Pick<NotifyInvalidatedCache<object>, 'counts' | 'size'>> {
    return { projects: this.#projects, links: this.#links };
  }
}

/**
 * Estimates the bytes of a cached link.
 *
 * Measured: 990 bytes for a link with two short URLs, cache entry included; 16 more for the click slot, 8 for the version.
 * Three properties of variants have 24.
 */
function sizeOfLink(link: CachedLink): number {
  const urls = [link.desktopUrl, link.iosFallbackUrl, link.androidFallbackUrl, link.socialImageUrl, link.expiredUrl];
  const texts = [
    link.customPath,
    link.externalId,
    link.appData,
    link.socialTitle,
    link.socialDescription,
    link.title,
    ...link.referrerParams.flat(),
    ...link.forwardedParams,
  ];
  const characters = (all: (string | null)[]) => all.reduce((sum, text) => sum + (text?.length ?? 0) + 16, 0);
  // Short texts in lists of conditions have 32 bytes each.
  const rules = (link.rules ?? []).reduce(
    (sum, rule) => sum + 1200 + 6 * JSON.stringify(rule.when).length + sizeOfVariants(rule.link),
    sizeOfVariants(link),
  );
  // V8 stores text outside Latin-1 with two bytes per character.
  // The hash of a password has a buffer.
  return 656 + (link.lock ? 300 : 0) + rules + characters(urls) + 2 * characters(texts);
}

/** Estimates the bytes of variants, each of which is a copy of the link. */
const sizeOfVariants = ({ variants }: CachedLink): number =>
  (variants ?? []).reduce((sum, { link }) => sum + 600 + (link.desktopUrl?.length ?? 0), 0);

/**
 * Estimates the bytes of a cached project.
 *
 * Measured: 1,800 bytes without apps, 2,900 with two, 54,000 with a hundred, and 280,000 with 1,100 fingerprints.
 */
function sizeOfProject(project: CachedProject): number {
  const { iosApps, androidApps, longLinkDestinations, rootUrl, notFoundUrl, forwardedParams } = project;
  const fingerprints = [...androidApps.values()].reduce((sum, app) => sum + app.shaFingerprints.length, 0);
  const paths = [...iosApps.values(), ...androidApps.values()].reduce((sum, app) => sum + (app.paths?.length ?? 0), 0);
  const hosts = 300 * longLinkDestinations.length;
  const urls = (rootUrl?.length ?? 0) + (notFoundUrl?.length ?? 0);
  const names = forwardedParams.reduce((sum, name) => sum + 2 * name.length + 16, 0);
  return urls + names + 2000 + 800 * (iosApps.size + androidApps.size) + 220 * fingerprints + 120 * paths + hosts;
}
