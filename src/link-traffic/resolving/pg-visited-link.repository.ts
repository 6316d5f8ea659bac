import type { Pool } from 'pg';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import { meantPathsSql } from '../../link-paths/paths/meant-path';
import { subdomainOfOpenLabel } from '../../link-paths/paths/open-label';
import {
  type LinkOwnerships,
  type LinkOwnership,
  ownedPathsSql,
  toLinkOwnerships,
} from '../../link-paths/association-files/owned-paths';
import { toWebPaths, type WebPath, type WebPaths, webPathsSql } from '../../link-paths/association-files/web-paths';
import { type CachedLink, type CachedProject, keyOf, pathOf, projectIdOf } from './cached-models';
import { customHostnameOf, type Site } from './site';
import { toLink, type VisitedLinkRow, visitedLinksSql } from './visited-link-rows';
import type { VisitorKey } from './visitor-keys';
import { toProject, type VisitedProjectRow, visitedProjectsSql } from './visited-project-rows';

/** Reads with named statements. The pool is separate, so that visitors and the management API do not wait for each other's connections. */
export class PgVisitedLinkRepository {
  constructor(
    private readonly pool: Pool,
    private readonly hosts: LinkHosts,
  ) {}

  /** Returns projects by site, without the sites that have none. */
  async findProjects(sites: Site[]): Promise<Map<Site, CachedProject>> {
    const hostnames = sites.map(customHostnameOf);
    // A subdomain belongs to its project before it is the open host of another one.
    const openedSubdomains = sites.map((site, at) => (hostnames[at] === null ? subdomainOfOpenLabel(site) : null));
    const { rows } = await this.pool.query<VisitedProjectRow>({
      name: 'visited-projects',
      text: visitedProjectsSql,
      values: [sites, hostnames, openedSubdomains],
    });
    return new Map(rows.map((row) => [row.site, toProject(row, this.hosts)]));
  }

  /** Returns links by key (`keyOf`), without the keys that have none. */
  async findLinks(keys: string[]): Promise<Map<string, CachedLink>> {
    const { rows } = await this.pool.query<VisitedLinkRow>({
      name: 'visited-links',
      text: visitedLinksSql,
      values: [keys.map(projectIdOf), keys.map(pathOf)],
      rowMode: 'array',
    });
    return new Map(rows.map((row) => [keyOf(row[0], row[1]), toLink(row)]));
  }

  /** Returns the meant paths by key (`keyOf` with the possible paths, joined by spaces), without the keys that mean none. */
  async findMeantPaths(keys: string[]): Promise<Map<string, LinkPath>> {
    const asked = keys.flatMap((key, visit) =>
      pathOf(key)
        .split(' ')
        .map((path) => ({ key, visit, path })),
    );
    const { rows } = await this.pool.query<{ visit: number; path: LinkPath }>({
      name: 'meant-paths',
      text: meantPathsSql,
      values: [
        asked.map(({ visit }) => visit),
        asked.map(({ key }) => projectIdOf(key)),
        asked.map(({ path }) => path),
      ],
    });
    return new Map(rows.map(({ visit, path }) => [keys[visit]!, path]));
  }

  /** Returns the paths of a project that no app should open. */
  async findWebPaths(projectId: string): Promise<WebPaths> {
    const { rows } = await this.pool.query<WebPath>({
      name: 'web-paths',
      text: webPathsSql,
      values: [projectId],
    });
    return toWebPaths(rows);
  }

  /** Returns the paths of a project with the apps of their links; null if they are too many to derive anything from. */
  async findOwnedPaths(projectId: string): Promise<LinkOwnerships> {
    const { rows } = await this.pool.query<LinkOwnership>({
      name: 'owned-paths',
      text: ownedPathsSql,
      values: [projectId],
    });
    return toLinkOwnerships(rows);
  }

  /** Returns the host names of verified custom domains. */
  async verifiedDomains(): Promise<string[]> {
    const { rows } = await this.pool.query<[string]>({
      text: 'SELECT hostname FROM custom_domains WHERE verified_at IS NOT NULL',
      rowMode: 'array',
    });
    return rows.map(([hostname]) => hostname);
  }

  /** Returns the key of the day; null in a region that has not received it yet. */
  async visitorKey(): Promise<VisitorKey | null> {
    const { rows } = await this.pool.query<{ visitor_key: Buffer; remaining_ms: number }>(
      'SELECT * FROM visitor_key()',
    );
    return rows[0] ? { key: rows[0].visitor_key, remainingMs: rows[0].remaining_ms } : null;
  }
}
