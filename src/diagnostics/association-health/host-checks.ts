import { hostname } from '../../links/custom-domains/hostname';
import { type HealthProblem, problemsIn } from './health-problem';
import type { Subdomain } from '../../links/projects/subdomain';

export const hostKinds = ['subdomain', 'former_subdomain', 'custom_domain', 'open_subdomain'] as const;

interface StateOfHost {
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

export type CheckedHost = ProjectHost & {
  host: string;
  /** For example `https://summer.go.example.com`. */
  origin: string;
};

/**
 * Checks a host without network access. Apple and Google fetch the files only over HTTPS, and apps name hosts without ports
 * (Apple, "Associated Domains Entitlement": `<service>:<fully qualified domain>`; Google, "Creating a statement list").
 */
export function hostProblems({ host, origin, answers, recordMissingSince }: CheckedHost): HealthProblem[] {
  const url = new URL(origin);
  const isHttps = url.protocol === 'https:';
  const missing = `The TXT record of ${host} is missing since ${recordMissingSince?.toISOString()}: the domain will be lost.`;
  return problemsIn(
    { host },
    [!isHttps, 'not_https', `Links on ${host} use http; phones fetch the files over https only.`],
    [
      isHttps && url.port !== '',
      'port_not_443',
      `Links on ${host} have a port, but apps can only name hosts without a port.`,
    ],
    [hostname.tryParse(url.hostname) === null, 'host_not_public', `${host} is not a host of the public internet.`],
    [!answers, 'domain_not_verified', `${host} is not verified; the project does not answer on it.`],
    [recordMissingSince !== null, 'domain_record_missing', missing],
  );
}
