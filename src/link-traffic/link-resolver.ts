import type { Pool } from 'pg';
import { AnnouncedCache } from '../database/announced-cache';
import type { Announcements } from '../database/announcements';
import { Outage } from '../shared/outage';
import { Together } from '../database/together';
import { destinationUrl } from '../dynamic-links/destination-url';
import type { ReferrerParams } from '../dynamic-links/referrer-params';
import type { Subdomain } from '../projects/project';
import type { Clock } from '../shared/clock';
import type { VisitedLink, VisitedProject } from './visited-link';

interface ProjectRow {
  id: string;
  subdomain: Subdomain;
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
  readonly #links: AnnouncedCache<VisitedLink>;

  /** @param cacheBytes what remembered links may take; projects get a quarter as much on top */
  constructor(
    private readonly pool: Pool,
    announcements: Announcements,
    clock: Clock,
    cacheBytes: number,
  ) {
    const outage = new Outage();
    const projects = new Together((subdomains) => this.#queryProjects(subdomains));
    const links = new Together((keys) => this.#queryLinks(keys));
    this.#projects = new AnnouncedCache(announcements, clock, (subdomain) => projects.find(subdomain), {
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
  knownProject(subdomain: string): VisitedProject | undefined {
    return this.#projects.peek(subdomain);
  }

  /** Null where no project has the subdomain. */
  findProject(subdomain: string): Promise<VisitedProject | null> {
    return this.#projects.find(subdomain);
  }

  /** What is in memory and true; undefined where the database must be asked. */
  knownLink(project: VisitedProject, path: string): VisitedLink | undefined {
    return this.#links.peek(keyOf(project.id, path));
  }

  /** Null where no link of the project has the path. */
  findLink(project: VisitedProject, path: string): Promise<VisitedLink | null> {
    return this.#links.find(keyOf(project.id, path));
  }

  /** For the metrics. */
  get caches(): Record<string, Pick<AnnouncedCache<object>, 'counts' | 'size'>> {
    return { projects: this.#projects, links: this.#links };
  }

  async #queryProjects(subdomains: string[]): Promise<Map<string, VisitedProject>> {
    const { rows } = await this.pool.query<ProjectRow>({
      name: 'visited-projects',
      text: `SELECT p.id, p.subdomain,
               (SELECT json_agg(json_build_object('id', app.id, 'name', app.name, 'bundle_id', app.bundle_id,
                                                  'team_id', app.team_id, 'appstore_id', app.appstore_id)
                                ORDER BY app.created_at, app.id)
                FROM ios_apps app WHERE app.project_id = p.id) AS ios_apps,
               (SELECT json_agg(json_build_object('id', app.id, 'name', app.name, 'package_name', app.package_name,
                                                  'sha_fingerprints', app.sha_fingerprints)
                                ORDER BY app.created_at, app.id)
                FROM android_apps app WHERE app.project_id = p.id) AS android_apps
             FROM projects p WHERE p.subdomain = ANY($1) AND p.deleted_at IS NULL`,
      values: [subdomains],
    });
    return new Map(rows.map((row) => [row.subdomain, toProject(row)]));
  }

  async #queryLinks(keys: string[]): Promise<Map<string, VisitedLink>> {
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

/** Checked again: whatever wrote the row, no other scheme than http and https leaves this service. */
const checked = (url: string | null) => (url === null ? null : destinationUrl.tryParse(url));

const toLink = (row: LinkRow): VisitedLink => ({
  id: row[2],
  shortLinkId: row[3],
  shortLinkSource: row[4],
  desktopUrl: checked(row[5]),
  iosAppId: row[6],
  androidAppId: row[7],
  iosFallbackUrl: checked(row[8]),
  androidFallbackUrl: checked(row[9]),
  iosDeferredDeepLink: row[10],
  socialTitle: row[11],
  socialDescription: row[12],
  socialImageUrl: checked(row[13]),
  referrerParams: isPairs(row[14]) ? row[14] : noParams,
});

const noParams: ReferrerParams = [];

const isPairs = (stored: unknown): stored is ReferrerParams =>
  Array.isArray(stored) &&
  stored.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'));

/** Bytes (measured: 990 for a link with two short URLs, with all that the cache keeps beside it). */
function sizeOfLink(link: VisitedLink): number {
  const urls = [link.desktopUrl, link.iosFallbackUrl, link.androidFallbackUrl, link.socialImageUrl];
  const texts = [link.socialTitle, link.socialDescription, ...link.referrerParams.flat()];
  const characters = (all: (string | null)[]) => all.reduce((sum, text) => sum + (text?.length ?? 0) + 16, 0);
  // Text outside Latin-1 has two bytes a character.
  return 600 + characters(urls) + 2 * characters(texts);
}

function sizeOfProject(project: VisitedProject): number {
  const { iosApps, androidApps } = project;
  const fingerprints = [...androidApps.values()].reduce((sum, app) => sum + app.fingerprints.length, 0);
  return 500 + 800 * (iosApps.size + androidApps.size) + 220 * fingerprints;
}
