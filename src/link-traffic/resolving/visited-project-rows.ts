import { longLinksId } from '../../link-routing/visited-link/long-link';
import { urlElsewhere } from '../../link-routing/visited-link/unknown-address';
import type { VisitedAndroidApp, VisitedIosApp } from '../../link-routing/visited-link/visited-link';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import { type HostedAt, openHostColumns } from '../../link-paths/paths/open-host';
import type { Subdomain } from '../../links/projects/subdomain';
import type { QueryForwarding } from '../../shared/query-forwarding';
import { type CachedProject, nextVersion } from './cached-models';
import { customHostnameOf, type Site, siteOfCustomDomain, siteOfLabel } from './site';

/** Selects projects with their apps by sites, `$1`, host names of custom domains, `$2`, and subdomains of open hosts, `$3`. */
export const visitedProjectsSql = `SELECT asked.site, p.id, p.subdomain, p.long_link_destinations, p.root_url, p.not_found_url, p.expired_url,
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
        WHERE domain.hostname = asked.hostname AND domain.verified_at IS NOT NULL) END`;

export interface VisitedProjectRow {
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

export function toProject(row: VisitedProjectRow, hosts: LinkHosts): CachedProject {
  const current = { subdomain: row.subdomain, customDomain: row.custom_domain };
  const openHost = hosts.openHostOf(current, { openDomain: row.open_domain, openLabelTaken: row.open_label_taken });
  const visited = hostedAt(row);
  const isOpenHost = openHost !== null && siteOf(openHost) === row.site;
  return {
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
    site: row.site,
    version: nextVersion(),
    longLinks: { id: longLinksId, shortLinkId: null, shortLinkSource: null, quarterSerial: 0, numberInQuarter: 0 },
  };
}

const byId = <T>(apps: (T & { id: string })[] | null): Map<string, T> =>
  new Map((apps ?? []).map(({ id, ...app }) => [id, app as T]));

/** Returns the host of the visited site. Each label under the link domain is written like a subdomain. */
const hostedAt = ({ site, subdomain }: VisitedProjectRow): HostedAt => {
  const customDomain = customHostnameOf(site);
  return { subdomain: customDomain === null ? site : subdomain, customDomain };
};

const siteOf = ({ subdomain, customDomain }: HostedAt): Site =>
  customDomain === null ? siteOfLabel(subdomain) : siteOfCustomDomain(customDomain);
