import { type AndroidApp, fingerprintText, packageName } from '../../management-api/android-apps/android-app';
import { bundleId, type IosApp, teamId } from '../../management-api/ios-apps/ios-app';
import { type HealthCode, type HealthProblem, healthProblem } from './health-problem';

/**
 * What apps bring into the Apple file (Apple, "Supporting associated domains": application identifiers are a prefix, by now
 * always the team's, and the bundle id). Rows are checked again, whatever wrote them.
 */
export function iosAppProblems(apps: readonly IosApp[]): HealthProblem[] {
  if (apps.length === 0)
    return [
      healthProblem('no_ios_app', 'The project has no iOS app: its links open in the browser.', { platform: 'ios' }),
    ];
  return apps.flatMap((app) => {
    const found = (code: HealthCode, what: string) =>
      healthProblem(code, `The ${what} of ${quoted(app.name)} is none: links do not open it.`, {
        platform: 'ios',
        appId: app.id,
      });
    return [
      ...(teamId.tryParse(app.teamId) === null ? [found('malformed_team_id', 'team_id')] : []),
      ...(bundleId.tryParse(app.bundleId) === null ? [found('malformed_bundle_id', 'bundle_id')] : []),
    ];
  });
}

/**
 * What apps bring into the asset-links file (Google, "Statement list syntax"). One fingerprint is often that of the upload
 * key, and Google Play signs with another (Android Developers, "Troubleshoot App Links").
 */
export function androidAppProblems(apps: readonly AndroidApp[]): HealthProblem[] {
  if (apps.length === 0)
    return [
      healthProblem('no_android_app', 'The project has no Android app: its links open in the browser.', {
        platform: 'android',
      }),
    ];
  return apps.flatMap((app) => {
    const found = (code: HealthCode, message: string) =>
      healthProblem(code, message, { platform: 'android', appId: app.id });
    const name = quoted(app.name);
    const malformed = app.shaFingerprints.filter((one) => !isPublishable(one)).length;
    return [
      ...(packageName.tryParse(app.packageName) === null
        ? [found('malformed_package_name', `The package_name of ${name} is none: links do not open it.`)]
        : []),
      ...(app.shaFingerprints.length === 0
        ? [found('no_fingerprints', `${name} has no fingerprints and is left out of the file: links do not open it.`)]
        : []),
      ...(malformed > 0
        ? [found('malformed_fingerprint', `${malformed} of the fingerprints of ${name} are none.`)]
        : []),
      ...(app.shaFingerprints.length === 1
        ? [found('one_fingerprint', `${name} has one fingerprint, which may be that of its upload key.`)]
        : []),
    ];
  });
}

/** Android compares letters as they are, and wants capital ones. */
const isPublishable = (fingerprint: string): boolean =>
  fingerprintText.tryParse(fingerprint) !== null && fingerprint === fingerprint.toUpperCase();

const quoted = (name: string): string => `“${name}”`;
