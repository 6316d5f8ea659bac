import type { Subdomain } from '../../management-api/projects/project';

/** How a project came by a host that it answers on, or means to. */
export const hostKinds = ['subdomain', 'former_subdomain', 'custom_domain'] as const;
export type HostKind = (typeof hostKinds)[number];

interface StateOfHost {
  /** The project's URLs are on it. */
  current: boolean;
  /** False for a custom domain that is not proved: the project does not answer there. */
  answers: boolean;
  /** Since when the DNS says that the record of a custom domain is not there. */
  recordMissingSince: Date | null;
}

/** Named by a label under the link domain, or by a host name. */
export type ProjectHost = StateOfHost &
  ({ kind: 'subdomain' | 'former_subdomain'; name: Subdomain } | { kind: 'custom_domain'; name: string });
