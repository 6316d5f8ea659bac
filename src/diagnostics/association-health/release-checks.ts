import { isAppOf, type LiveRelease, type ServedApp } from '../../link-paths/release-guard/release-breaks';
import { hostnameOf } from '../../link-paths/paths/link-hosts';
import type { CheckedHost } from './host-checks';
import { healthProblem, type HealthProblem } from './health-problem';

/**
 * Checks that the project answers on the hosts of released versions, and has their apps.
 * @param version the version that the caller asks for; null for all that are not retired
 */
export function releaseProblems(
  releases: readonly LiveRelease[],
  hosts: readonly Pick<CheckedHost, 'host' | 'answers'>[],
  apps: readonly ServedApp[],
  version: string | null,
): HealthProblem[] {
  if (version !== null && releases.length === 0)
    return [healthProblem('release_not_recorded', `No app of the project has a release ${version}.`)];
  const served = new Set(hosts.filter(({ answers }) => answers).map(({ host }) => hostnameOf(host)));
  return releases.flatMap((release) => [...hostProblems(release, served), ...appProblems(release, apps)]);
}

const hostProblems = ({ platform, appId, hosts, version }: LiveRelease, served: ReadonlySet<string>): HealthProblem[] =>
  hosts
    .filter((host) => !host.startsWith('*.') && !served.has(host))
    .map((host) =>
      healthProblem(
        'released_host_not_served',
        `Version ${version} opens ${host}, on which the project does not answer.`,
        { platform, host, appId },
      ),
    );

function appProblems(release: LiveRelease, apps: readonly ServedApp[]): HealthProblem[] {
  const { platform, appId, identifier, version, fingerprints } = release;
  const app = apps.find((one) => isAppOf(one, release));
  const signs = platform === 'ios' || fingerprints.some((one) => app?.fingerprints.includes(one));
  if (app && signs) return [];
  const lost = app ? 'signed by certificates that the app no longer has' : `${identifier}, which the app no longer is`;
  return [healthProblem('released_app_changed', `Version ${version} is ${lost}.`, { platform, appId })];
}
