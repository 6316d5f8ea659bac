import { type AndroidApp, type IosApp, teamIdProblems } from '../../links/apps/app';
import { fingerprintText, packageName } from '../../links/apps/android-identifiers';
import { bundleId, teamId } from '../../links/apps/ios-identifiers';
import { type HealthProblem, healthProblem, problemsIn } from './health-problem';

/**
 * Checks the iOS apps (Apple, "Supporting associated domains": an application identifier is the team id and the bundle id).
 * Stored values are validated again, because other programs may have written them.
 */
export function iosAppProblems(apps: readonly IosApp[]): HealthProblem[] {
  const none = 'The project has no iOS app; its links open in the browser.';
  if (apps.length === 0) return [healthProblem('no_ios_app', none, { platform: 'ios' })];
  return apps.flatMap((app) => {
    const name = quoted(app.name);
    const invalid = (field: string) => `The ${field} of ${name} is invalid; links will not open the app.`;
    const isOfOtherApp = app.appClipBundleId?.startsWith(`${app.bundleId}.`) === false;
    return problemsIn(
      { platform: 'ios', appId: app.id },
      [teamId.tryParse(app.teamId) === null, 'malformed_team_id', invalid('team_id')],
      [bundleId.tryParse(app.bundleId) === null || startsWithTeamId(app), 'malformed_bundle_id', invalid('bundle_id')],
      [isOfOtherApp, 'app_clip_of_other_app', `The app_clip_bundle_id of ${name} does not begin with its bundle_id.`],
    );
  });
}

/**
 * Checks the Android apps (Google, "Statement list syntax"). A single fingerprint is a hint, because it often belongs to the
 * upload key while Google Play signs with another (Android Developers, "Troubleshoot App Links").
 */
export function androidAppProblems(apps: readonly AndroidApp[]): HealthProblem[] {
  const none = 'The project has no Android app; its links open in the browser.';
  if (apps.length === 0) return [healthProblem('no_android_app', none, { platform: 'android' })];
  return apps.flatMap((app) => {
    const name = quoted(app.name);
    const { length } = app.shaFingerprints;
    const malformed = app.shaFingerprints.filter((one) => !isPublishable(one)).length;
    return problemsIn(
      { platform: 'android', appId: app.id },
      [
        packageName.tryParse(app.packageName) === null,
        'malformed_package_name',
        `The package_name of ${name} is invalid; links will not open the app.`,
      ],
      [
        length === 0,
        'no_fingerprints',
        `${name} has no fingerprints and is not in the file; links will not open the app.`,
      ],
      [malformed > 0, 'malformed_fingerprint', `${malformed} fingerprints of ${name} are invalid.`],
      [length === 1, 'one_fingerprint', `${name} has one fingerprint, which may be that of its upload key.`],
    );
  });
}

/** Returns whether Android accepts the fingerprint; it compares case-sensitively with capital letters. */
const isPublishable = (fingerprint: string): boolean =>
  fingerprintText.tryParse(fingerprint) !== null && fingerprint === fingerprint.toUpperCase();

const startsWithTeamId = (app: IosApp): boolean => teamIdProblems(app, app).some(({ path }) => path[0] === 'bundle_id');

const quoted = (name: string): string => `“${name}”`;
