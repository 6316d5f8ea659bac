import type { Pool } from 'pg';
import { appleAppSiteAssociation, assetLinks } from '../link-routing/association-files';
import { servedParams, servedUrl } from '../link-routing/served-values';
import type { VisitedProject } from '../link-routing/visited-link';
import type { Subdomain } from '../management-api/projects/project';
import type { CachedLink } from './cached-link';
import { type CachedProject, nextVersion, toSentFile } from './cached-project';
import { keyOf, pathOf, projectIdOf } from './link-key';
import { customHostnameOf, type Site } from './site';
import { VisitedLinkRepository } from './visited-link.repository';

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
 * Reads with named statements. The pool is separate, so that visitors and the management API do not wait for each other's
 * connections.
 */
export class PgVisitedLinkRepository extends VisitedLinkRepository {
  constructor(private readonly pool: Pool) {
    super();
  }

  async findProjects(sites: Site[]): Promise<Map<Site, CachedProject>> {
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

  async findLinks(keys: string[]): Promise<Map<string, CachedLink>> {
    const { rows } = await this.pool.query<LinkRow>({
      name: 'visited-links',
      text: `SELECT taken.project_id, taken.path, link.id, taken.short_link_id, short.source, link.desktop_url, link.ios_app_id,
                    link.android_app_id, link.ios_fallback_url, link.android_fallback_url, link.ios_deferred_deep_link,
                    link.social_title, link.social_description, link.social_image_url, link.referrer_params
             FROM unnest($1::uuid[], $2::text[]) AS asked (project_id, path)
             JOIN link_paths taken ON taken.project_id = asked.project_id AND taken.path = asked.path
             JOIN dynamic_links link ON link.id = taken.dynamic_link_id AND link.deleted_at IS NULL
             LEFT JOIN short_links short ON short.id = taken.short_link_id`,
      values: [keys.map(projectIdOf), keys.map(pathOf)],
      rowMode: 'array',
    });
    return new Map(rows.map((row) => [keyOf(row[0], row[1]), toLink(row)]));
  }
}

function toProject(row: ProjectRow): CachedProject {
  const project: VisitedProject = {
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
  return {
    ...project,
    site: row.site,
    version: nextVersion(),
    appleFile: toSentFile(appleAppSiteAssociation(project)),
    androidFile: toSentFile(assetLinks(project)),
  };
}

const toLink = (row: LinkRow): CachedLink => ({
  id: row[2],
  shortLinkId: row[3],
  shortLinkSource: row[4],
  quarterSerial: 0,
  numberInQuarter: 0,
  version: nextVersion(),
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
