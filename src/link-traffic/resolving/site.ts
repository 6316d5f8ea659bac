import type { LinkHosts } from '../../link-paths/paths/link-hosts';

/**
 * Identifies a link host: the label under the link domain, or a custom domain's host name with a prefix. No `Host` header
 * can make a label look like a custom domain.
 */
export type Site = string & { readonly brand: 'Site' };

/** Contains capital letters, because labels from `LinkHosts.labelOf` contain none. */
const customDomainPrefix = 'CUSTOM ';

export const siteOfLabel = (label: string): Site => label as Site;

export const siteOfCustomDomain = (hostname: string): Site => (customDomainPrefix + hostname) as Site;

/** Returns null for a site under the link domain. */
export const customHostnameOf = (site: Site): string | null =>
  site.startsWith(customDomainPrefix) ? site.slice(customDomainPrefix.length) : null;

/** Returns the site of a `Host` header; null for hosts that are neither under the link domain nor custom domains. */
export function siteOfHost(
  host: string | undefined,
  hosts: LinkHosts,
  domains: { siteOf(host: string | undefined): Site | null },
): Site | null {
  const label = hosts.labelOf(host);
  return label === null ? domains.siteOf(host) : siteOfLabel(label);
}
