import type { Subdomain } from '../../links/projects/subdomain';

export const hostKinds = ['subdomain', 'former_subdomain', 'custom_domain', 'open_subdomain'] as const;

interface StateOfHost {
  /** New URLs of the project use it. */
  current: boolean;
  /** False for an unverified custom domain. */
  answers: boolean;
  /** The time since which the TXT record of a custom domain is missing in the DNS. */
  recordMissingSince: Date | null;
}

/** `name` is a label under the link domain, or a host name for a custom domain. */
export type ProjectHost = StateOfHost &
  (
    | { kind: 'subdomain' | 'former_subdomain' | 'open_subdomain'; name: Subdomain }
    | { kind: 'custom_domain'; name: string }
  );
