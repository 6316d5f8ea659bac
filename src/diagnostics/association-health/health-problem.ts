import { type AssociatedPlatform, publishedRules } from './published-rules';

/** `error`: links do not open an app. `warning`: they may fail, or fail on some devices. `hint`: the setting may be wrong. */
export const severities = ['error', 'warning', 'hint'] as const;
export type Severity = (typeof severities)[number];

/** A reason why links of a project may not open its apps. */
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
  /** The URL of the published rule. */
  rule: string;
}

interface Kind {
  severity: Severity;
  remedy: string;
  rule: string;
}

const { appleFile, appleLinks, appleEntitlement, androidFile, androidTroubles, googleFile, googleSyntax } =
  publishedRules;

const inSettings = 'The setting is LINK_BASE_URL of the service; ask its operator.';
const inDns = 'Point its DNS records to the service, or remove the host from the project.';

const kinds = {
  no_ios_app: {
    severity: 'warning',
    remedy: 'Add the iOS app with its bundle id and team id, if there is one.',
    rule: appleFile,
  },
  no_android_app: {
    severity: 'warning',
    remedy: 'Add the Android app with its package name and fingerprints, if there is one.',
    rule: androidFile,
  },
  malformed_team_id: {
    severity: 'error',
    remedy: 'Set team_id to the ten capital letters and digits that Apple shows under Membership.',
    rule: appleFile,
  },
  malformed_bundle_id: {
    severity: 'error',
    remedy: 'Set bundle_id to CFBundleIdentifier of the app.',
    rule: appleFile,
  },
  malformed_package_name: {
    severity: 'error',
    remedy: 'Set package_name to the application id of the app.',
    rule: googleSyntax,
  },
  app_clip_of_other_app: {
    severity: 'warning',
    remedy: 'Set app_clip_bundle_id to the bundle id of the app, followed by a dot and the name of the App Clip.',
    rule: appleFile,
  },
  malformed_paths: {
    severity: 'error',
    remedy: 'Set paths to patterns that begin with a slash and have no * except at the end.',
    rule: androidFile,
  },
  paths_not_derived: {
    severity: 'warning',
    remedy: 'Publish the links of each app in a separate folder, and set paths of the apps, such as /shop/*.',
    rule: appleFile,
  },
  link_outside_paths: {
    severity: 'warning',
    remedy: 'Add the paths of these links to paths of the app, move the links, or set paths to null.',
    rule: appleFile,
  },
  link_in_other_paths: {
    severity: 'warning',
    remedy: 'Narrow the paths of the app, or move these links out of them.',
    rule: appleFile,
  },
  no_open_host: {
    severity: 'warning',
    remedy:
      'Add a second custom domain, verify it, and set its open_host; or choose a subdomain of at most 58 characters.',
    rule: appleLinks,
  },
  no_fingerprints: {
    severity: 'error',
    remedy: 'Set sha_fingerprints to those of the certificates that the app is signed with.',
    rule: androidFile,
  },
  malformed_fingerprint: {
    severity: 'error',
    remedy: 'Replace it by the SHA-256 fingerprint: 32 pairs of capital hex digits joined by colons.',
    rule: androidTroubles,
  },
  one_fingerprint: {
    severity: 'hint',
    remedy:
      'If Google Play signs the app, add the fingerprint of its signing key too (Play Console, App signing). With the ' +
      'upload key alone, links open only builds that you signed yourself.',
    rule: androidTroubles,
  },
  file_too_large: {
    severity: 'error',
    remedy: 'Remove apps that need no links, or move some to another project.',
    rule: appleFile,
  },
  not_https: {
    severity: 'error',
    remedy: `Serve links over https. ${inSettings}`,
    rule: googleFile,
  },
  port_not_443: {
    severity: 'error',
    remedy: `Serve links on port 443. ${inSettings}`,
    rule: appleEntitlement,
  },
  host_not_public: {
    severity: 'error',
    remedy: `Use a domain of the public internet. ${inSettings}`,
    rule: appleFile,
  },
  domain_not_verified: {
    severity: 'warning',
    remedy: 'Publish the TXT record of the custom domain and verify it, or remove it.',
    rule: appleFile,
  },
  domain_record_missing: {
    severity: 'warning',
    remedy: 'Publish the TXT record of the custom domain again.',
    rule: appleFile,
  },
  not_resolved: {
    severity: 'error',
    remedy: inDns,
    rule: appleFile,
  },
  private_address: {
    severity: 'error',
    remedy: `${inDns} In a private network, the operator of the service can allow such addresses.`,
    rule: appleFile,
  },
  unreachable: {
    severity: 'error',
    remedy:
      'Check that the load balancer or proxy of the host accepts connections from everywhere on this port. If others ' +
      'reach the host, ask the operator of the service to check its outgoing connections (network policy, firewall).',
    rule: appleFile,
  },
  certificate_invalid: {
    severity: 'error',
    remedy:
      'Install a certificate for the name of the host, with its complete chain, from an authority that phones trust.',
    rule: googleFile,
  },
  certificate_expires_soon: {
    severity: 'warning',
    remedy: 'Renew the certificate, and check why it was not renewed automatically.',
    rule: googleFile,
  },
  no_answer: {
    severity: 'error',
    remedy: 'Check that the proxy of the host reaches the service.',
    rule: googleFile,
  },
  redirected: {
    severity: 'error',
    remedy: 'Exclude the file from redirects in the proxy of the host, because phones do not follow them.',
    rule: googleFile,
  },
  wrong_status: {
    severity: 'error',
    remedy: 'Check that the proxy of the host passes /.well-known/ to the service, for clients from everywhere.',
    rule: googleFile,
  },
  wrong_content_type: {
    severity: 'error',
    remedy: 'Configure the proxy of the host to keep the Content-Type application/json.',
    rule: googleFile,
  },
  content_differs: {
    severity: 'error',
    remedy:
      'After a change, wait five minutes, because caches may keep the file so long. If the problem stays, another server ' +
      'answers on the host, or a proxy changes the file.',
    rule: appleFile,
  },
  not_probed: {
    severity: 'warning',
    remedy: 'Probe again. The project has many hosts, or some of them answer slowly.',
    rule: appleFile,
  },
} as const satisfies Record<string, Kind>;

export type HealthCode = keyof typeof kinds;
export const healthCodes = Object.keys(kinds) as HealthCode[];

/** The subject of a problem; `rule` replaces the default rule of its code. */
type Subject = Partial<Pick<HealthProblem, 'platform' | 'host' | 'appId' | 'rule'>>;

export function healthProblem(code: HealthCode, message: string, subject: Subject = {}): HealthProblem {
  return { code, platform: null, host: null, appId: null, message, ...kinds[code], ...subject };
}

/** Compares for a stable sort, most severe first. */
export const bySeverity = (one: HealthProblem, other: HealthProblem): number =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity);
