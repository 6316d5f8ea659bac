import type { AndroidApp, IosApp } from '../links/apps/app';
import type { NewLink } from '../links/dynamic-links/dynamic-link';
import type { LinkHosts } from '../links/link-paths/link-hosts';
import type { HostedAt } from '../links/link-paths/open-host';
import type { Project } from '../links/projects/project';
import { isWebUrl } from '../shared/destination-url';
import { hostsOfSamePath } from './own-address';
import { servedDestination, servedParams, servedUrl } from './served-values';
import { urlElsewhere } from './unknown-address';
import type { VisitedLink, VisitedProject } from './visited-link';

/** Converts the management API's project and apps to the read model of a visit on the project's current host. */
export const toProjectReadModel = (
  project: Project,
  iosApps: IosApp[],
  androidApps: AndroidApp[],
  openHost: HostedAt | null,
  hosts: LinkHosts,
): VisitedProject => ({
  id: project.id,
  subdomain: project.subdomain,
  customDomain: project.customDomain,
  opener: openHost ?? hostedAt(project),
  visited: hostedAt(project),
  visitedHostname: hosts.hostnameOf(project),
  longLinkDestinations: project.longLinkDestinations,
  rootUrl: urlElsewhere(project.rootUrl, hosts, project, openHost),
  notFoundUrl: urlElsewhere(project.notFoundUrl, hosts, project, openHost),
  queryForwarding: project.queryForwarding,
  forwardedParams: project.forwardedParams,
  iosApps: new Map(
    iosApps.map((app) => [
      app.id,
      {
        name: app.name,
        bundleId: app.bundleId,
        teamId: app.teamId,
        storeId: app.appstoreId,
        appClipBundleId: app.appClipBundleId,
        paths: app.paths,
        sharedCredentials: app.sharedCredentials,
      },
    ]),
  ),
  androidApps: new Map(
    androidApps.map((app) => [
      app.id,
      {
        name: app.name,
        packageName: app.packageName,
        fingerprints: app.shaFingerprints,
        stores: app.androidStores,
        paths: app.paths,
        sharedCredentials: app.sharedCredentials,
      },
    ]),
  ),
});

const hostedAt = ({ subdomain, customDomain }: HostedAt): HostedAt => ({ subdomain, customDomain });

/** Converts a link, stored or not, to the read model of a visit by a path. */
export function toLinkReadModel(link: NewLink, path: string): VisitedLink {
  const desktopUrl = servedDestination(link.desktopUrl);
  const iosFallbackUrl = servedDestination(link.iosFallbackUrl);
  const androidFallbackUrl = servedDestination(link.androidFallbackUrl);
  return {
    id: link.id,
    shortLinkId: null,
    shortLinkSource: null,
    customPath: link.customPath,
    externalId: link.externalId,
    appData: link.appData,
    desktopUrl,
    iosAppId: link.iosAppId,
    androidAppId: link.androidAppId,
    iosFallbackUrl,
    androidFallbackUrl,
    iosDeferredDeepLink: link.iosDeferredDeepLink,
    socialTitle: link.socialTitle,
    socialDescription: link.socialDescription,
    socialImageUrl: servedUrl(link.socialImageUrl),
    referrerParams: servedParams(link.referrerParams),
    queryForwarding: link.queryForwarding,
    forwardedParams: link.forwardedParams,
    title: link.title,
    disabled: link.disabled,
    hostsOfSamePath: hostsOfSamePath(path, [desktopUrl, iosFallbackUrl, androidFallbackUrl]),
    hasOtherSchemes: [desktopUrl, iosFallbackUrl, androidFallbackUrl].some((url) => url !== null && !isWebUrl(url)),
  };
}
