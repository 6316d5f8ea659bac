/**
 * Ends the label of a project's open host: `summer-open` for `summer`. It is one label, because a wildcard certificate covers one
 * label only (RFC 9525, section 6.3). No project can take a new subdomain that ends so.
 */
export const openHostSuffix = '-open';

/** The maximum length of a label (RFC 1035, section 2.3.4). */
const maxLabelChars = 63;

/** Returns null for a subdomain that is too long for an open host. */
export const openLabelOf = <Subdomain extends string>(subdomain: Subdomain): Subdomain | null =>
  subdomain.length + openHostSuffix.length > maxLabelChars ? null : (`${subdomain}${openHostSuffix}` as Subdomain);

/** Returns the subdomain whose open host would have the label; null if the label does not end with the suffix. */
export const subdomainOfOpenLabel = (label: string): string | null =>
  label.endsWith(openHostSuffix) ? label.slice(0, -openHostSuffix.length) : null;
