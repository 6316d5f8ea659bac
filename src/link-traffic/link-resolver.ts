import type { Pool } from 'pg';
import { AnnouncedCache } from '../platform/postgres/announced-cache';
import type { Announcements } from '../platform/postgres/announcements';
import { Outage } from '../shared/outage';
import { Together } from '../platform/postgres/together';
import { type Subdomain, subdomainRule } from '../management-api/projects/project';
import type { Clock } from '../shared/clock';
import { servedParams, servedUrl } from '../link-routing/served-values';
import { customHostnameOf, type Site } from './site';
import type { VisitedProject } from '../link-routing/visited-link';
import type { CachedLink } from './cached-link';

interface ProjectRow {
  site: Site;
  id: string;
  subdomain: Subdomain;
  custom_domain: string | null;
  ios_apps: { id: string; name: string; bundle_id: string; team_id: string; appstore_id: string | null }[] | null;
  android_apps: { id: string; name: string; package_name: string; sha_fingerprints: string[] }[] | null;
}

type LinkRow = [
  projectId: string,
  path: string,
  id: string,
  shortLinkId: string | null,
  shortLinkSource: string | null,
  desktopUrl: string | null,
  iosAppId: string | null,
  androidAppId: string | null,
  iosFallbackUrl: string | null,
  androidFallbackUrl: string | null,
  iosDeferredDeepLink: boolean,
  socialTitle: string | null,
  socialDescription: string | null,
  socialImageUrl: string | null,
  referrerParams: unknown,
];

/**
 * Finds projects and links for visitors: in memory, as long as announcements keep that true, else by named statements on
 * connections of link traffic's own, so that the management API and visitors do not wait for each other. Look-ups of one
 * turn of the event loop share a query.
 */
export class LinkResolver {
  readonly #projects: AnnouncedCache<VisitedProject>;
  readonly #links: AnnouncedCache<CachedLink>;

  /** @param cacheBytes what remembered links may take; projects get a quarter as much on top */
  constructor(
    private readonly pool: Pool,
    announcements: Announcements,
    clock: Clock,
    cacheBytes: number,
  ) {
    const outage = new Outage();
    const projects = new Together((sites) => this.#queryProjects(sites as Site[]));
    const links = new Together((keys) => this.#queryLinks(keys));
    this.#projects = new AnnouncedCache(announcements, clock, (site) => projects.find(site), {
      bytes: cacheBytes / 4,
      sizeOf: sizeOfProject,
      subjectOf: (project) => project.id,
      outage,
    });
    this.#links = new AnnouncedCache(announcements, clock, (key) => links.find(key), {
      bytes: cacheBytes,
      sizeOf: sizeOfLink,
      subjectOf: (link) => link.id,
      outage,
    });
    announcements.onChanges((changes) => {
      for (const id of changes.projects ?? []) this.#projects.evictSubject(id);
      for (const id of changes.links ?? []) this.#links.evictSubject(id);
      for (const path of changes.paths ?? []) this.#links.evict(path);
    });
  }

  /** What is in memory and true; undefined where the database must be asked. */
  knownProject(site: Site): VisitedProject | undefined {
    return this.#projects.peek(site);
  }

  /** Null, at once where no project can have the site, where none answers there. */
  findProject(site: Site): Promise<VisitedProject | null> | null {
    if (customHostnameOf(site) === null && subdomainRule.tryParse(site) === null) return null;
    return this.#projects.find(site);
  }

  /** What is in memory and true; undefined where the database must be asked. */
  knownLink(project: VisitedProject, path: string): CachedLink | undefined {
    return this.#links.peek(keyOf(project.id, path));
  }

  /** Null where no link of the project has the path. */
  findLink(project: VisitedProject, path: string): Promise<CachedLink | null> {
    return this.#links.find(keyOf(project.id, path));
  }

  /** For the metrics. */
  get caches(): Record<string, Pick<AnnouncedCache<object>, 'counts' | 'size'>> {
    return { projects: this.#projects, links: this.#links };
  }

  async #queryProjects(sites: Site[]): Promise<Map<Site, VisitedProject>> {
    const hostnames = sites.map(customHostnameOf);
    const { rows } = await this.pool.query<ProjectRow>({
      name: 'visited-projects',
      text: `SELECT asked.site, p.id, p.subdomain,
               (SELECT domain.hostname FROM custom_domains domain
                WHERE domain.project_id = p.id AND domain.active) AS custom_domain,
               (SELECT json_agg(json_build_object('id', app.id, 'name', app.name, 'bundle_id', app.bundle_id,
                                                  'team_id', app.team_id, 'appstore_id', app.appstore_id)
                                ORDER BY app.created_at, app.id)
                FROM ios_apps app WHERE app.project_id = p.id) AS ios_apps,
               (SELECT json_agg(json_build_object('id', app.id, 'name', app.name, 'package_name', app.package_name,
                                                  'sha_fingerprints', app.sha_fingerprints)
                                ORDER BY app.created_at, app.id)
                FROM android_apps app WHERE app.project_id = p.id) AS android_apps
             FROM unnest($1::text[], $2::text[]) AS asked (site, hostname)
             JOIN projects p ON p.deleted_at IS NULL AND p.id = CASE WHEN asked.hostname IS NULL
               THEN (SELECT name.project_id FROM subdomains name WHERE name.name = asked.site)
               ELSE (SELECT domain.project_id FROM custom_domains domain
                     WHERE domain.hostname = asked.hostname AND domain.verified_at IS NOT NULL) END`,
      values: [sites, hostnames],
    });
    return new Map(rows.map((row) => [row.site, toProject(row)]));
  }

  async #queryLinks(keys: string[]): Promise<Map<string, CachedLink>> {
    const { rows } = await this.pool.query<LinkRow>({
      name: 'visited-links',
      text: `SELECT taken.project_id, taken.path, link.id, taken.short_link_id, short.source, link.desktop_url, link.ios_app_id,
                    link.android_app_id, link.ios_fallback_url, link.android_fallback_url, link.ios_deferred_deep_link,
                    link.social_title, link.social_description, link.social_image_url, link.referrer_params
             FROM unnest($1::uuid[], $2::text[]) AS asked (project_id, path)
             JOIN link_paths taken ON taken.project_id = asked.project_id AND taken.path = asked.path
             JOIN dynamic_links link ON link.id = taken.dynamic_link_id
             LEFT JOIN short_links short ON short.id = taken.short_link_id`,
      values: [keys.map((key) => key.slice(0, idLength)), keys.map((key) => key.slice(idLength + 1))],
      rowMode: 'array',
    });
    return new Map(rows.map((row) => [keyOf(row[0], row[1]), toLink(row)]));
  }
}

/** Characters of a UUID. */
const idLength = 36;

/** As announcements name paths. */
const keyOf = (projectId: string, path: string): string => `${projectId}/${path}`;

function toProject(row: ProjectRow): VisitedProject {
  return {
    id: row.id,
    subdomain: row.subdomain,
    customDomain: row.custom_domain,
    iosApps: new Map(
      (row.ios_apps ?? []).map((app) => [
        app.id,
        { name: app.name, bundleId: app.bundle_id, teamId: app.team_id, storeId: app.appstore_id },
      ]),
    ),
    androidApps: new Map(
      (row.android_apps ?? []).map((app) => [
        app.id,
        { name: app.name, packageName: app.package_name, fingerprints: app.sha_fingerprints },
      ]),
    ),
  };
}

const toLink = (row: LinkRow): CachedLink => ({
  id: row[2],
  shortLinkId: row[3],
  shortLinkSource: row[4],
  notedIn: 0,
  notedAs: 0,
  desktopUrl: servedUrl(row[5]),
  iosAppId: row[6],
  androidAppId: row[7],
  iosFallbackUrl: servedUrl(row[8]),
  androidFallbackUrl: servedUrl(row[9]),
  iosDeferredDeepLink: row[10],
  socialTitle: row[11],
  socialDescription: row[12],
  socialImageUrl: servedUrl(row[13]),
  referrerParams: servedParams(row[14]),
});

/** Bytes (measured: 990 for a link with two short URLs, with all that the cache keeps beside it; 16 more for what clicks note on it). */
function sizeOfLink(link: CachedLink): number {
  const urls = [link.desktopUrl, link.iosFallbackUrl, link.androidFallbackUrl, link.socialImageUrl];
  const texts = [link.socialTitle, link.socialDescription, ...link.referrerParams.flat()];
  const characters = (all: (string | null)[]) => all.reduce((sum, text) => sum + (text?.length ?? 0) + 16, 0);
  // Text outside Latin-1 has two bytes a character.
  return 616 + characters(urls) + 2 * characters(texts);
}

function sizeOfProject(project: VisitedProject): number {
  const { iosApps, androidApps } = project;
  const fingerprints = [...androidApps.values()].reduce((sum, app) => sum + app.fingerprints.length, 0);
  return 500 + 800 * (iosApps.size + androidApps.size) + 220 * fingerprints;
}
