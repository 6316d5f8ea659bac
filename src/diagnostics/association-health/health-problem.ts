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

const { appleFile, appleEntitlement, androidFile, androidTroubles, googleFile, googleSyntax } = publishedRules;

const inSettings = 'It is a setting of the service (LINK_BASE_URL): ask who operates it.';
const inDns = 'Let its DNS records lead to the service, or remove the host from the project.';

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
      'If Google Play signs the app, add the fingerprint of its key too (Play Console, App signing): that of an upload ' +
      'key alone opens only builds of your own.',
    rule: androidTroubles,
  },
  file_too_large: {
    severity: 'error',
    remedy: 'Remove apps that need no links, or move some to a project of their own.',
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
    remedy: `${inDns} Where the service is meant for one network, its operator can allow such addresses.`,
    rule: appleFile,
  },
  unreachable: {
    severity: 'error',
    remedy:
      'See that the load balancer or proxy of the host is there and lets everybody in, on this port. Where others reach ' +
      "the host, it is the service's own way out (network policy, firewall): ask who operates it.",
    rule: appleFile,
  },
  certificate_invalid: {
    severity: 'error',
    remedy: 'Give the host a certificate for its name, with its whole chain, from an authority that phones know.',
    rule: googleFile,
  },
  certificate_expires_soon: {
    severity: 'warning',
    remedy: 'Renew it, or find out why it was not renewed by itself.',
    rule: googleFile,
  },
  no_answer: {
    severity: 'error',
    remedy: 'See that the proxy of the host reaches the service.',
    rule: googleFile,
  },
  redirected: {
    severity: 'error',
    remedy: 'Take the file out of what the proxy of the host redirects: phones do not follow.',
    rule: googleFile,
  },
  wrong_status: {
    severity: 'error',
    remedy: 'See that the proxy of the host hands /.well-known/ on to the service, to everybody and from everywhere.',
    rule: googleFile,
  },
  wrong_content_type: {
    severity: 'error',
    remedy: 'Let the proxy of the host leave the Content-Type as it is: application/json.',
    rule: googleFile,
  },
  content_differs: {
    severity: 'error',
    remedy:
      'After a change, wait the five minutes that caches may keep the file. Else another server answers on the host, or ' +
      'something changes the file on its way.',
    rule: appleFile,
  },
  not_probed: {
    severity: 'warning',
    remedy: 'Ask again: there are many hosts, or others are slow to answer.',
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
