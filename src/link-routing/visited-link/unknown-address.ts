import type { DestinationUrl } from '../../shared/destination-url';
import { type LinkHosts, hostnameOf } from '../../link-paths/paths/link-hosts';
import { isReserved } from '../../link-paths/paths/custom-path';
import type { HostedAt } from '../../link-paths/paths/open-host';
import { longLinkPath } from './long-link';
import { withParameters } from './query-merge';
import { emptyParams, servedUrl } from './served-values';
import { forwardedQuery } from './visitor-query';
import type { VisitedProject } from './visited-link';

/**
 * Returns where visitors of `/` or of unknown paths are sent. Returns null for a URL on one of the hosts, because redirects there would
 * repeat endlessly. Other hosts of the project are not known here, so two of them can lead to each other.
 */
export function urlElsewhere(
  stored: string | null,
  hosts: LinkHosts,
  ...own: (HostedAt | null)[]
): DestinationUrl | null {
  const url = servedUrl(stored);
  const hostname = url && hostnameOf(new URL(url).host);
  return own.some((host) => host !== null && hosts.hostnameOf(host) === hostname) ? null : url;
}

/**
 * Returns where a visitor of an address without a link is sent; null for the page “Page not found”. Programs fetch
 * paths such as `robots.txt`, and get a 404.
 * @param path the path without its leading slash
 */
export function unknownAddressUrl(project: VisitedProject, path: string, visitorQuery: string): string | null {
  const isRoot = path === longLinkPath;
  const url = (isRoot ? project.rootUrl : null) ?? (isRoot || isForPeople(path) ? project.notFoundUrl : null);
  return url && withParameters(url, emptyParams, forwardedQuery(project, null, visitorQuery));
}

const isForPeople = (path: string): boolean => !isReserved(path) && !path.startsWith('.well-known/');
