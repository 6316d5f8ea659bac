import { type AndroidApp, packageName } from '../../management-api/android-apps/android-app';
import type { IosApp } from '../../management-api/ios-apps/ios-app';
import type { CheckedHost } from './host-checks';
import type { AssociatedPlatform } from './published-rules';

export const deviceCheckKinds = ['entitlement', 'manifest', 'command'] as const;

/** A line for the developers of an app, with the project's values. */
export interface DeviceCheck {
  platform: AssociatedPlatform;
  /** `entitlement` and `manifest`: a line of the app. `command`: a line for a shell. */
  kind: (typeof deviceCheckKinds)[number];
  purpose: string;
  text: string;
}

/** Limits the lines of a project with many hosts and apps. */
const maxChecks = 200;

/**
 * Returns the lines with which developers name the hosts in their apps and check what phones have, the current host first. The
 * service itself sends no such request (docs/decisions/0016-explanations-and-association-health.md).
 */
export function deviceChecks(
  hosts: readonly CheckedHost[],
  iosApps: readonly IosApp[],
  androidApps: readonly AndroidApp[],
): DeviceCheck[] {
  // Phones read hosts with https and without a port only.
  const names = hosts.filter((host) => host.answers && new URL(host.origin).port === '').map(({ host }) => host);
  // Stored values go into commands, so that only valid ones do.
  const packages = androidApps.map((app) => app.packageName).filter((name) => packageName.tryParse(name) !== null);
  return [
    ...(iosApps.length > 0 ? names.flatMap((host) => iosChecks(host, iosApps)) : []),
    ...(packages.length > 0 ? names.flatMap(androidHostChecks) : []),
    ...packages.flatMap(androidAppChecks),
  ].slice(0, maxChecks);
}

function iosChecks(host: string, apps: readonly IosApp[]): DeviceCheck[] {
  const line = (kind: DeviceCheck['kind'], purpose: string, text: string): DeviceCheck => ({
    platform: 'ios',
    kind,
    purpose,
    text,
  });
  const services = [
    'applinks',
    ...(apps.some((app) => app.sharedCredentials) ? ['webcredentials'] : []),
    ...(apps.some((app) => app.appClipBundleId !== null) ? ['appclips'] : []),
  ];
  return [
    ...services.map((service) => line('entitlement', 'Associated domain of the app', `${service}:${host}`)),
    line(
      'entitlement',
      'Associated domain of a development build, which reads the file from the host',
      `applinks:${host}?mode=developer`,
    ),
    line(
      'command',
      "Print Apple's copy of the file, which phones receive",
      `curl https://app-site-association.cdn-apple.com/a/v1/${host}`,
    ),
  ];
}

function androidHostChecks(host: string): DeviceCheck[] {
  const query = `source.web.site=https://${host}&relation=delegate_permission/common.handle_all_urls`;
  return [
    {
      platform: 'android',
      kind: 'manifest',
      purpose: 'Data element of the intent filter with android:autoVerify',
      text: `<data android:scheme="https" android:host="${host}" />`,
    },
    {
      platform: 'android',
      kind: 'command',
      purpose: 'Print the statements that Google reads from the host',
      text: `curl 'https://digitalassetlinks.googleapis.com/v1/statements:list?${query}&return_relation_extensions=true'`,
    },
  ];
}

const androidAppChecks = (name: string): DeviceCheck[] => [
  {
    platform: 'android',
    kind: 'command',
    purpose: 'Verify the hosts of the installed app again',
    text: `adb shell pm verify-app-links --re-verify ${name}`,
  },
  {
    platform: 'android',
    kind: 'command',
    purpose: 'Print the hosts of the installed app with their states',
    text: `adb shell pm get-app-links ${name}`,
  },
];
