import type { AndroidApp, IosApp } from '../../links/apps/app';
import type { NewLink } from '../../links/dynamic-links/dynamic-link';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { HostedAt } from '../../link-paths/paths/open-host';
import type { Project } from '../../links/projects/project';
import { destinationsOf, hostsOfSamePath } from './own-address';
import { lockedWeb, lockOf } from './lock';
import { compileLink, mergedParams, type TemplateParts } from './ruled-link';
import { hasOtherSchemes, servedDestination, servedParams, servedUrl } from './served-values';
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
  ...project,
  opener: openHost ?? project,
  visited: project,
  visitedHostname: hosts.hostnameOf(project),
  rootUrl: urlElsewhere(project.rootUrl, hosts, project, openHost),
  notFoundUrl: urlElsewhere(project.notFoundUrl, hosts, project, openHost),
  expiredUrl: urlElsewhere(project.expiredUrl, hosts, project, openHost),
  iosApps: new Map(iosApps.map((app) => [app.id, app])),
  androidApps: new Map(androidApps.map((app) => [app.id, app])),
});

/** Converts a link, stored or not, to the read model of a visit by a path. */
export function toLinkReadModel(link: NewLink, path: string, template: TemplateParts | null = null): VisitedLink {
  const destinations = {
    desktopUrl: servedDestination(link.desktopUrl),
    iosFallbackUrl: servedDestination(link.iosFallbackUrl),
    androidFallbackUrl: servedDestination(link.androidFallbackUrl),
    expiredUrl: servedUrl(link.expiredUrl),
  };
  const urls = destinationsOf(destinations);
  const lock = lockOf(link.passwordHash, link.clickLimit, link.usedUp);
  const visited: VisitedLink = {
    ...link,
    ...destinations,
    activeFrom: link.activeFrom?.getTime() ?? null,
    activeUntil: link.activeUntil?.getTime() ?? null,
    lock,
    rules: null,
    variants: null,
    variant: null,
    web: lock && lockedWeb,
    shortLinkId: null,
    shortLinkSource: null,
    socialImageUrl: servedUrl(link.socialImageUrl),
    referrerParams: mergedParams(servedParams(template?.referrerParams), servedParams(link.referrerParams)),
    hostsOfSamePath: hostsOfSamePath(path, urls),
    hasOtherSchemes: hasOtherSchemes(urls),
  };
  return compileLink(visited, link, path, template);
}
