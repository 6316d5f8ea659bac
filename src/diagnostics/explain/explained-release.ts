import { matchesPattern } from '../../link-paths/association-files/app-paths';
import { isAppOf, type LiveRelease, opensHost, type Served } from '../../link-paths/release-guard/release-breaks';
import type { OpeningApp } from './opening-apps';

/** The conditions under which a released version opens a URL, in the order of a phone, with a sentence for each result. */
const reasons = {
  host_named: [
    'The version names the host.',
    'The version does not name the host, so links on it stay in the browser.',
  ],
  host_served: ['The project answers on the host.', 'The project does not answer on the host.'],
  app: [
    'The project has the app by the identifier of the version.',
    'The project has no app by the identifier of the version any more.',
  ],
  fingerprint: [
    'The app has a certificate that signs the version.',
    'The app has no certificate that signs the version, so Android does not verify the host.',
  ],
  version_paths: ['The version opens the path.', 'The version opens other paths only.'],
  app_paths: [
    'The association file gives the path to the app.',
    'The association file does not give the path to the app.',
  ],
} as const;

type Check = keyof typeof reasons;
export const releaseChecks = Object.keys(reasons) as Check[];

/** Whether a released version opens a URL on a phone that has it. */
export interface ExplainedRelease extends Pick<LiveRelease, 'platform' | 'appId' | 'version'> {
  opens: boolean;
  steps: { check: Check; passed: boolean; reason: string }[];
}

/** The released versions that an explanation examines. */
export interface ExaminedReleases {
  releases: readonly LiveRelease[];
  served: Served;
  /** The host of the URL; null for that of the links. */
  host: string | null;
}

/**
 * Examines a released version by its record, retired or not.
 * @param path without the leading slash
 * @param apps the apps that open the path by the association files
 */
export function explainRelease(
  release: LiveRelease,
  { served, host }: ExaminedReleases,
  path: string,
  apps: readonly Pick<OpeningApp, 'id'>[],
): ExplainedRelease {
  const { platform, appId, version } = release;
  const urlHost = host ?? served.linkHost ?? '';
  const app = served.apps.find((one) => isAppOf(one, release));
  const results: Record<Check, boolean> = {
    host_named: opensHost(release, urlHost),
    host_served: served.hosts.includes(urlHost),
    app: app !== undefined,
    fingerprint: app?.fingerprints.some((one) => release.fingerprints.includes(one)) ?? false,
    version_paths: release.paths?.some((pattern) => matchesPattern(pattern, `/${path}`)) ?? true,
    app_paths: apps.some(({ id }) => id === appId),
  };
  const checks = releaseChecks.filter((check) => platform === 'android' || check !== 'fingerprint');
  const steps = checks.map((check) => {
    const passed = results[check];
    return { check, passed, reason: reasons[check][passed ? 0 : 1] };
  });
  return { platform, appId, version, opens: steps.every(({ passed }) => passed), steps };
}
