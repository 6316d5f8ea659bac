import type { AndroidApp, IosApp } from '../../links/apps/app';
import { packageName } from '../../links/apps/android-identifiers';
import type { CheckedHost } from './host-checks';
import type { AssociatedPlatform } from './published-rules';

export const deviceCheckKinds = ['entitlement', 'manifest', 'command'] as const;

const purposes = {
  applinks: 'Associated domain of the app',
  applinks_developer: 'Associated domain of a development build, which reads the file from the host',
  apple_copy: "Print Apple's copy of the file, which phones receive",
  intent_filter: 'Data element of the intent filter with android:autoVerify',
  google_statements: 'Print the statements that Google reads from the host',
  verify_again: 'Verify the hosts of the installed app again',
  host_states: 'Print the hosts of the installed app with their states',
};

export type DeviceCheckCode = keyof typeof purposes;
export const deviceCheckCodes = Object.keys(purposes) as DeviceCheckCode[];

/** A line for the developers of an app, with the project's values. */
export interface DeviceCheck {
  platform: AssociatedPlatform;
  /** `entitlement` and `manifest`: a line of the app. `command`: a line for a shell. */
  kind: (typeof deviceCheckKinds)[number];
  code: DeviceCheckCode;
  purpose: string;
  text: string;
  /** Whether the line names an example host, because apps can name no host of the project. */
  isExample: boolean;
}

const exampleHost = 'links.example.com';

/** Limits the lines of a project with many hosts and apps. */
const maxChecks = 200;

/**
 * Returns the lines with which developers name the hosts in their apps and check what phones have, the current host first. The
 * service itself sends no such request (docs/decisions/0016-association-files-and-explanations.md).
 */
export function deviceChecks(
  hosts: readonly CheckedHost[],
  iosApps: readonly IosApp[],
  androidApps: readonly AndroidApp[],
): DeviceCheck[] {
  // Phones read hosts with https and without a port only.
  const usable = hosts.filter(({ answers, origin }) => answers && isNameable(new URL(origin))).map(({ host }) => host);
  // Stored values go into commands, so that only valid ones do.
  const packages = androidApps.map((app) => app.packageName).filter((name) => packageName.tryParse(name) !== null);
  const ofHosts = (names: readonly string[]): DeviceCheck[] => [
    ...(iosApps.length > 0 ? names.flatMap((host) => iosChecks(host, iosApps)) : []),
    ...(packages.length > 0 ? names.flatMap(androidHostChecks) : []),
  ];
  const hostChecks =
    usable.length > 0 ? ofHosts(usable) : ofHosts([exampleHost]).map((check) => ({ ...check, isExample: true }));
  return [...hostChecks, ...packages.flatMap(androidAppChecks)].slice(0, maxChecks);
}

const isNameable = ({ protocol, port }: URL): boolean => protocol === 'https:' && port === '';

const check = (
  platform: AssociatedPlatform,
  kind: DeviceCheck['kind'],
  code: DeviceCheckCode,
  text: string,
): DeviceCheck => ({ platform, kind, code, purpose: purposes[code], text, isExample: false });

function iosChecks(host: string, apps: readonly IosApp[]): DeviceCheck[] {
  const services = [
    'applinks',
    ...(apps.some((app) => app.sharedCredentials) ? ['webcredentials'] : []),
    ...(apps.some((app) => app.appClipBundleId !== null) ? ['appclips'] : []),
  ];
  return [
    ...services.map((service) => check('ios', 'entitlement', 'applinks', `${service}:${host}`)),
    check('ios', 'entitlement', 'applinks_developer', `applinks:${host}?mode=developer`),
    check('ios', 'command', 'apple_copy', `curl https://app-site-association.cdn-apple.com/a/v1/${host}`),
  ];
}

function androidHostChecks(host: string): DeviceCheck[] {
  const query = `source.web.site=https://${host}&relation=delegate_permission/common.handle_all_urls`;
  const statements = `https://digitalassetlinks.googleapis.com/v1/statements:list?${query}&return_relation_extensions=true`;
  return [
    check('android', 'manifest', 'intent_filter', `<data android:scheme="https" android:host="${host}" />`),
    check('android', 'command', 'google_statements', `curl '${statements}'`),
  ];
}

const androidAppChecks = (name: string): DeviceCheck[] => [
  check('android', 'command', 'verify_again', `adb shell pm verify-app-links --re-verify ${name}`),
  check('android', 'command', 'host_states', `adb shell pm get-app-links ${name}`),
];
