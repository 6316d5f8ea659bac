import { type AssociatedPlatform, publishedRules } from './published-rules';

/** `error`: links do not open an app. `warning`: they may fail, or fail on some devices. `hint`: the setting may be wrong. */
export const severities = ['error', 'warning', 'hint'] as const;
export type Severity = (typeof severities)[number];

export interface HealthProblem {
  code: HealthCode;
  severity: Severity;
  /** Null if it concerns both. */
  platform: AssociatedPlatform | null;
  /** The `Host` value; null if it concerns no host. */
  host: string | null;
  appId: string | null;
  message: string;
  remedy: string;
  rule: string;
}

const { appleFile, appleLinks, appleEntitlement, androidFile, androidTroubles, googleFile, googleSyntax } =
  publishedRules;

const inSettings = 'The setting is LINK_BASE_URL of the service; ask its operator.';
const inDns = 'Point its DNS records to the service, or remove the host from the project.';

const kinds = {
  no_ios_app: ['warning', appleFile, 'Add the iOS app with its bundle id and team id, if there is one.'],
  no_android_app: [
    'warning',
    androidFile,
    'Add the Android app with its package name and fingerprints, if there is one.',
  ],
  malformed_team_id: [
    'error',
    appleFile,
    'Set team_id to the ten capital letters and digits that Apple shows under Membership.',
  ],
  malformed_bundle_id: ['error', appleFile, 'Set bundle_id to CFBundleIdentifier of the app.'],
  malformed_package_name: ['error', googleSyntax, 'Set package_name to the application id of the app.'],
  app_clip_of_other_app: [
    'warning',
    appleFile,
    'Set app_clip_bundle_id to the bundle id of the app, followed by a dot and the name of the App Clip.',
  ],
  malformed_paths: [
    'error',
    androidFile,
    'Set paths to patterns that begin with a slash and have no * except at the end.',
  ],
  paths_not_derived: [
    'warning',
    appleFile,
    'Publish the links of each app in a separate folder, and set paths of the apps, such as /shop/*.',
  ],
  link_outside_paths: [
    'warning',
    appleFile,
    'Add the paths of these links to paths of the app, move the links, or set paths to null.',
  ],
  link_in_other_paths: ['warning', appleFile, 'Narrow the paths of the app, or move these links out of them.'],
  no_open_host: [
    'warning',
    appleLinks,
    'Add a second custom domain, verify it, and set its open_host; or choose a subdomain of at most 58 characters.',
  ],
  no_fingerprints: [
    'error',
    androidFile,
    'Set sha_fingerprints to those of the certificates that the app is signed with.',
  ],
  malformed_fingerprint: [
    'error',
    androidTroubles,
    'Replace it by the SHA-256 fingerprint: 32 pairs of capital hex digits joined by colons.',
  ],
  one_fingerprint: [
    'hint',
    androidTroubles,
    'If Google Play signs the app, add the fingerprint of its signing key too (Play Console, App signing). With the ' +
      'upload key alone, links open only builds that you signed yourself.',
  ],
  file_too_large: ['error', appleFile, 'Remove apps that need no links, or move some to another project.'],
  not_https: ['error', googleFile, `Serve links over https. ${inSettings}`],
  port_not_443: ['error', appleEntitlement, `Serve links on port 443. ${inSettings}`],
  host_not_public: ['error', appleFile, `Use a domain of the public internet. ${inSettings}`],
  domain_not_verified: [
    'warning',
    appleFile,
    'Publish the TXT record of the custom domain and verify it, or remove it.',
  ],
  domain_record_missing: ['warning', appleFile, 'Publish the TXT record of the custom domain again.'],
  released_host_not_served: [
    'warning',
    appleEntitlement,
    'Add the host to the project, or retire the version once nobody uses it.',
  ],
  released_app_changed: [
    'warning',
    appleEntitlement,
    'Restore the identifier, team or fingerprint in the project, or retire the version once nobody uses it.',
  ],
  release_not_recorded: [
    'hint',
    appleEntitlement,
    'Record the version with `signpost app release` when you release it.',
  ],
  browser_escape_dropped: [
    'hint',
    publishedRules.inAppBrowsers,
    'Visitors can still continue without the browser of the device. The operator of the service can replace the way with BROWSER_ESCAPES_FILE.',
  ],
  not_resolved: ['error', appleFile, inDns],
  private_address: [
    'error',
    appleFile,
    `${inDns} In a private network, the operator of the service can allow such addresses.`,
  ],
  unreachable: [
    'error',
    appleFile,
    'Check that the load balancer or proxy of the host accepts connections from everywhere on this port. If others ' +
      'reach the host, ask the operator of the service to check its outgoing connections (network policy, firewall).',
  ],
  certificate_invalid: [
    'error',
    googleFile,
    'Install a certificate for the name of the host, with its complete chain, from an authority that phones trust.',
  ],
  certificate_expires_soon: [
    'warning',
    googleFile,
    'Renew the certificate, and check why it was not renewed automatically.',
  ],
  no_answer: ['error', googleFile, 'Check that the proxy of the host reaches the service.'],
  redirected: [
    'error',
    googleFile,
    'Exclude the file from redirects in the proxy of the host, because phones do not follow them.',
  ],
  wrong_status: [
    'error',
    googleFile,
    'Check that the proxy of the host passes /.well-known/ to the service, for clients from everywhere.',
  ],
  wrong_content_type: [
    'error',
    googleFile,
    'Configure the proxy of the host to keep the Content-Type application/json.',
  ],
  content_differs: [
    'error',
    appleFile,
    'After a change, wait five minutes, because caches may keep the file so long. If the problem stays, another server ' +
      'answers on the host, or a proxy changes the file.',
  ],
  not_probed: ['warning', appleFile, 'Probe again. The project has many hosts, or some of them answer slowly.'],
} as const satisfies Record<string, readonly [Severity, rule: string, remedy: string]>;

export type HealthCode = keyof typeof kinds;
export const healthCodes = Object.keys(kinds) as HealthCode[];

/** The subject of a problem; `rule` replaces the default rule of its code. */
type Subject = Partial<Pick<HealthProblem, 'platform' | 'host' | 'appId' | 'rule'>>;

export function healthProblem(code: HealthCode, message: string, subject: Subject = {}): HealthProblem {
  const [severity, rule, remedy] = kinds[code];
  return { code, platform: null, host: null, appId: null, message, severity, remedy, rule, ...subject };
}

export const problemsIn = (
  subject: Subject,
  ...checks: readonly (readonly [applies: boolean, code: HealthCode, message: string])[]
): HealthProblem[] =>
  checks.filter(([applies]) => applies).map(([, code, message]) => healthProblem(code, message, subject));

export const bySeverity = (one: HealthProblem, other: HealthProblem): number =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity);
