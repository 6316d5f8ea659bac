import { openHostSuffix } from './open-label';

/** The facts that decide which host opens the apps of a project. */
export interface OpenHostFacts {
  /** The verified custom domain that is set as open host; null without one. */
  openDomain: string | null;
  /** A project has the label of the open host as its subdomain, or had it. */
  openLabelTaken: boolean;
}

/** Selects these facts in a query whose project has the alias `p`. */
export const openHostColumns = `(SELECT opening.hostname FROM custom_domains opening WHERE opening.project_id = p.id
                AND opening.open_host AND NOT opening.active AND opening.verified_at IS NOT NULL) AS open_domain,
               EXISTS (SELECT FROM subdomains taken WHERE taken.name = p.subdomain || '${openHostSuffix}') AS open_label_taken`;

/** The parts of a host: a custom domain, or a label under the link domain. */
export interface HostedAt {
  subdomain: string;
  customDomain: string | null;
}
