import { type DestinationUrl, isWebUrl } from '../../shared/destination-url';
import { hostnameOf } from '../../link-paths/paths/link-hosts';
import { decodePath, withoutFinalSlash } from './meant-paths';
import type { HostsOfDestinations, VisitedLink, VisitedProject } from './visited-link';

/**
 * Returns the hosts of the destinations that have the visited path; null if none has it, as for nearly every link. The read model
 * stores the result, so that a visit parses no URL.
 */
export function hostsOfSamePath(path: string, urls: readonly (DestinationUrl | null)[]): HostsOfDestinations | null {
  const webUrls = urls.filter((url): url is DestinationUrl => url !== null && isWebUrl(url));
  const same = webUrls.filter((url) => mayHavePath(url, path) && hasPath(new URL(url), path));
  return same.length === 0 ? null : new Map(same.map((url) => [url, hostnameOf(new URL(url).host)]));
}

/** Returns whether the destination is the visited address itself, to which a redirect would lead again and again. */
export const isOwnAddress = (project: VisitedProject, link: VisitedLink, destination: DestinationUrl): boolean =>
  link.hostsOfSamePath !== null && link.hostsOfSamePath.get(destination) === project.visitedHostname;

/**
 * Returns the link as visited by another spelling of its path. Its destination can have that spelling, and a redirect there would
 * lead here again.
 */
export function visitedAs<L extends VisitedLink>(link: L, path: string): L {
  const hosts = hostsOfSamePath(path, destinationsOf(link));
  const rules = link.rules?.map((rule) => ({ ...rule, link: visitedAs(rule.link, path) })) ?? null;
  const variants = link.variants?.map((variant) => ({ ...variant, link: visitedAs(variant.link, path) })) ?? null;
  if (hosts === null && rules === null && variants === null) return link;
  return { ...link, rules, variants, hostsOfSamePath: new Map([...(link.hostsOfSamePath ?? []), ...(hosts ?? [])]) };
}

/** Returns the destinations of a link beside those of its rules and variants. */
export const destinationsOf = ({
  desktopUrl,
  iosFallbackUrl,
  androidFallbackUrl,
  expiredUrl,
}: Pick<VisitedLink, 'desktopUrl' | 'iosFallbackUrl' | 'androidFallbackUrl' | 'expiredUrl'>) => [
  desktopUrl,
  iosFallbackUrl,
  androidFallbackUrl,
  expiredUrl,
];

/**
 * Returns false for nearly every URL without parsing it, because each link that is not cached passes here. Paths have no encoded
 * characters.
 */
const mayHavePath = (url: DestinationUrl, path: string): boolean => url.includes(path) || url.includes('%');

/** Compares as link traffic reads a path. */
const hasPath = ({ pathname }: URL, path: string): boolean => decodePath(withoutFinalSlash(pathname.slice(1))) === path;
