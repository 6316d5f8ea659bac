import type { Pool } from 'pg';
import { appleAppSiteAssociation, assetLinks } from '../link-routing/association-files';
import { longLinksId } from '../link-routing/long-link';
import { lockedWeb, lockOf } from '../link-routing/lock';
import { destinationsOf, hostsOfSamePath } from '../link-routing/own-address';
import { compileLink, mergedParams, type TemplateParts } from '../link-routing/ruled-link';
import { hasOtherSchemes, servedDestination, servedParams, servedUrl } from '../link-routing/served-values';
import { urlElsewhere } from '../link-routing/unknown-address';
import type { VisitedAndroidApp, VisitedIosApp, VisitedProject } from '../link-routing/visited-link';
import type { LinkPath } from '../link-paths/paths/custom-path';
import type { LinkHosts } from '../link-paths/paths/link-hosts';
import { meantPathsSql } from '../link-paths/paths/meant-path';
import { type HostedAt, openHostColumns } from '../link-paths/paths/open-host';
import {
  type LinkOwnerships,
  type LinkOwnership,
  ownedPathsSql,
  toLinkOwnerships,
} from '../link-paths/association-files/owned-paths';
import { toWebPaths, type WebPath, type WebPaths, webPathsSql } from '../link-paths/association-files/web-paths';
import { subdomainOfOpenLabel } from '../link-paths/paths/open-label';
import type { Subdomain } from '../links/projects/subdomain';
import type { QueryForwarding } from '../shared/query-forwarding';
import {
  type CachedLink,
  keyOf,
  pathOf,
  projectIdOf,
  type CachedProject,
  nextVersion,
  toSentFile,
} from './cached-models';
import { customHostnameOf, type Site, siteOfCustomDomain, siteOfLabel } from './site';

interface ProjectRow {
  site: Site;
  id: string;
  subdomain: Subdomain;
  custom_domain: string | null;
  open_domain: string | null;
  open_label_taken: boolean;
  long_link_destinations: string[];
  root_url: string | null;
  not_found_url: string | null;
  expired_url: string | null;
  query_forwarding: QueryForwarding;
  forwarded_params: string[];
  conversions: boolean;
  click_id_param: string;
  iosApps: (VisitedIosApp & { id: string })[] | null;
  androidApps: (VisitedAndroidApp & { id: string })[] | null;
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
  title: string | null,
  disabled: boolean,
  queryForwarding: QueryForwarding | null,
  forwardedParams: string[],
  customPath: string,
  externalId: string | null,
  appData: string | null,
  conversions: boolean,
  rules: string | null,
  activeFrom: Date | null,
  activeUntil: Date | null,
  expiredUrl: string | null,
  variants: string | null,
  passwordHash: Buffer | null,
  clickLimit: number | null,
  usedUp: boolean,
  templateId: string | null,
  template: TemplateParts | null,
];

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
    const { rows } = await this.pool.query<ProjectRow>({
      name: 'visited-projects',
      text: `SELECT asked.site, p.id, p.subdomain, p.long_link_destinations, p.root_url, p.not_found_url, p.expired_url,
               p.query_forwarding, p.forwarded_params, p.conversions, p.click_id_param,
               (SELECT domain.hostname FROM custom_domains domain
                WHERE domain.project_id = p.id AND domain.active) AS custom_domain,
               ${openHostColumns},
               (SELECT json_agg(json_build_object('id', app.id, 'name', app.name, 'bundleId', app.bundle_id, 'teamId', app.team_id,
                                                  'appstoreId', app.appstore_id, 'appClipBundleId', app.app_clip_bundle_id,
                                                  'paths', app.paths, 'sharedCredentials', app.shared_credentials)
                                ORDER BY app.created_at, app.id)
                FROM ios_apps app WHERE app.project_id = p.id) AS "iosApps",
               (SELECT json_agg(json_build_object('id', app.id, 'name', app.name, 'packageName', app.package_name,
                                                  'shaFingerprints', app.sha_fingerprints, 'androidStores', app.android_stores,
                                                  'paths', app.paths, 'sharedCredentials', app.shared_credentials)
                                ORDER BY app.created_at, app.id)
                FROM android_apps app WHERE app.project_id = p.id) AS "androidApps"
             FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (site, hostname, opened)
             JOIN projects p ON p.deleted_at IS NULL AND p.id = CASE WHEN asked.hostname IS NULL
               THEN (SELECT name.project_id FROM subdomains name WHERE name.name IN (asked.site, asked.opened)
                     ORDER BY name.name = asked.site DESC LIMIT 1)
               ELSE (SELECT domain.project_id FROM custom_domains domain
                     WHERE domain.hostname = asked.hostname AND domain.verified_at IS NOT NULL) END`,
      values: [sites, hostnames, openedSubdomains],
    });
    return new Map(rows.map((row) => [row.site, toProject(row, this.hosts)]));
  }

  /** Returns links by key (`keyOf`), without the keys that have none. */
  async findLinks(keys: string[]): Promise<Map<string, CachedLink>> {
    const { rows } = await this.pool.query<LinkRow>({
      name: 'visited-links',
      text: `SELECT taken.project_id, taken.path, link.id, taken.short_link_id, short.source, link.desktop_url, link.ios_app_id,
                    link.android_app_id, link.ios_fallback_url, link.android_fallback_url, link.ios_deferred_deep_link,
                    link.social_title, link.social_description, link.social_image_url, link.referrer_params,
                    link.title, link.disabled, link.query_forwarding, link.forwarded_params, link.custom_path, link.external_id, link.app_data,
                    link.conversions,
                    link.rules, link.active_from, link.active_until, link.expired_url, link.variants, link.password_hash, link.click_limit, link.used_up, template.id,
                    CASE WHEN template.id IS NOT NULL THEN json_build_object(
                      'name', template.name, 'referrerParams', template.referrer_params, 'rules', template.rules) END
             FROM unnest($1::uuid[], $2::text[]) AS asked (project_id, path)
             JOIN link_paths taken ON taken.project_id = asked.project_id AND taken.path = asked.path
             JOIN dynamic_links link ON link.id = taken.dynamic_link_id AND link.deleted_at IS NULL
             LEFT JOIN short_links short ON short.id = taken.short_link_id
             LEFT JOIN link_templates template ON template.project_id = link.project_id AND template.name = link.template`,
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
}

function toProject(row: ProjectRow, hosts: LinkHosts): CachedProject {
  const current = { subdomain: row.subdomain, customDomain: row.custom_domain };
  const openHost = hosts.openHostOf(current, { openDomain: row.open_domain, openLabelTaken: row.open_label_taken });
  const visited = hostedAt(row);
  const isOpenHost = openHost !== null && siteOf(openHost) === row.site;
  const project: VisitedProject = {
    opener: openHost === null || isOpenHost ? current : openHost,
    visited,
    visitedHostname: hosts.hostnameOf(visited),
    id: row.id,
    subdomain: row.subdomain,
    customDomain: row.custom_domain,
    longLinkDestinations: row.long_link_destinations,
    rootUrl: urlElsewhere(row.root_url, hosts, current, visited, openHost),
    notFoundUrl: urlElsewhere(row.not_found_url, hosts, current, visited, openHost),
    expiredUrl: urlElsewhere(row.expired_url, hosts, current, visited, openHost),
    queryForwarding: row.query_forwarding,
    forwardedParams: row.forwarded_params,
    conversions: row.conversions,
    clickIdParam: row.click_id_param,
    iosApps: byId(row.iosApps),
    androidApps: byId(row.androidApps),
  };
  return {
    ...project,
    site: row.site,
    version: nextVersion(),
    longLinks: { id: longLinksId, shortLinkId: null, shortLinkSource: null, quarterSerial: 0, numberInQuarter: 0 },
    files:
      project.iosApps.size + project.androidApps.size > 0
        ? null
        : {
            appleFile: toSentFile(appleAppSiteAssociation(project).file),
            androidFile: toSentFile(assetLinks(project).file),
          },
  };
}

const byId = <T>(apps: (T & { id: string })[] | null): Map<string, T> =>
  new Map((apps ?? []).map(({ id, ...app }) => [id, app as T]));

/** Returns the host of the visited site. Each label under the link domain is written like a subdomain. */
const hostedAt = ({ site, subdomain }: ProjectRow): HostedAt => {
  const customDomain = customHostnameOf(site);
  return { subdomain: customDomain === null ? site : subdomain, customDomain };
};

const siteOf = ({ subdomain, customDomain }: HostedAt): Site =>
  customDomain === null ? siteOfLabel(subdomain) : siteOfCustomDomain(customDomain);

/** Shared, because nearly every link has no list. */
const noParams: readonly string[] = [];

/** Writes each property at once: an object that another one is spread into has slower properties, in every visit. */
function toLink(row: LinkRow): CachedLink {
  const desktopUrl = servedDestination(row[5]);
  const iosFallbackUrl = servedDestination(row[8]);
  const androidFallbackUrl = servedDestination(row[9]);
  const expiredUrl = servedUrl(row[26]);
  const lock = lockOf(row[28], row[29], row[30]);
  const urls = destinationsOf({ desktopUrl, iosFallbackUrl, androidFallbackUrl, expiredUrl });
  const params = servedParams(row[14]);
  const template = row[32];
  const link: CachedLink = {
    id: row[2],
    shortLinkId: row[3],
    shortLinkSource: row[4],
    quarterSerial: 0,
    numberInQuarter: 0,
    version: nextVersion(),
    customPath: row[19] as LinkPath,
    externalId: row[20],
    appData: row[21],
    desktopUrl,
    iosAppId: row[6],
    androidAppId: row[7],
    iosFallbackUrl,
    androidFallbackUrl,
    iosDeferredDeepLink: row[10],
    socialTitle: row[11],
    socialDescription: row[12],
    socialImageUrl: servedUrl(row[13]),
    referrerParams: template === null ? params : mergedParams(servedParams(template.referrerParams), params),
    conversions: row[22],
    title: row[15],
    disabled: row[16],
    queryForwarding: row[17],
    forwardedParams: row[18].length === 0 ? noParams : row[18],
    activeFrom: row[24]?.getTime() ?? null,
    activeUntil: row[25]?.getTime() ?? null,
    expiredUrl,
    lock,
    templateId: row[31],
    rules: null,
    variants: null,
    variant: null,
    isSplit: false,
    web: lock && lockedWeb,
    hostsOfSamePath: hostsOfSamePath(row[1], urls),
    hasOtherSchemes: hasOtherSchemes(urls),
  };
  const compiled = compileLink(link, { rules: row[23], variants: row[27] }, row[1], template);
  if (compiled === link) return link;
  const { rules, variants } = compiled;
  const isSplit = variants !== null || (rules ?? []).some((rule) => rule.link.variants !== null);
  return { ...withVersions(compiled), isSplit, rules: rules?.map(withOwnVersions) ?? null };
}

/** Returns the link and its variants with versions, because pages differ by rule and variant. */
const withVersions = (link: CachedLink): CachedLink => ({
  ...link,
  version: nextVersion(),
  variants: link.variants?.map(withOwnVersions) ?? null,
});

const withOwnVersions = <T extends { link: CachedLink }>(part: T): T => ({ ...part, link: withVersions(part.link) });
