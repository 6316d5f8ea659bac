import type { LiveRelease } from '../../links/release-guard/release-breaks';
import { hostnameOf } from '../../links/link-paths/link-hosts';
import type { CheckedHost } from './host-checks';
import { healthProblem, type HealthProblem } from './health-problem';

/**
 * Checks that the project answers on the hosts of released versions.
 * @param version the version that the caller asks for; null for all that are not retired
 */
export function releaseProblems(
  releases: readonly LiveRelease[],
  hosts: readonly Pick<CheckedHost, 'host' | 'answers'>[],
  version: string | null,
): HealthProblem[] {
  if (version !== null && releases.length === 0)
    return [healthProblem('release_not_recorded', `No app of the project has a release ${version}.`)];
  const served = new Set(hosts.filter(({ answers }) => answers).map(({ host }) => hostnameOf(host)));
  return releases.flatMap(({ platform, appId, hosts: needed, version: released }) =>
    needed
      .filter((host) => !host.startsWith('*.') && !served.has(host))
      .map((host) =>
        healthProblem(
          'released_host_not_served',
          `Version ${released} opens ${host}, on which the project does not answer.`,
          { platform, host, appId },
        ),
      ),
  );
}
