/**
 * How link traffic calls a host: by what stands in front of the link domain, or, for a custom domain, by the host name with a
 * mark. Whatever the `Host` header of somebody says, the first kind never looks like the second.
 */
export type Site = string & { readonly brand: 'Site' };

/** In capitals, which `LinkHosts.labelOf` leaves in no label. */
const mark = 'CUSTOM ';

/** @param label as `LinkHosts.labelOf` has it */
export const siteOfLabel = (label: string): Site => label as Site;

export const siteOfCustomDomain = (hostname: string): Site => (mark + hostname) as Site;

/** Null for a site under the link domain. */
export const customHostnameOf = (site: Site): string | null => (site.startsWith(mark) ? site.slice(mark.length) : null);
