import { type AndroidApp, type IosApp, teamIdProblems } from '../../links/apps/app';
import { fingerprintText, packageName } from '../../links/apps/android-identifiers';
import { bundleId, teamId } from '../../links/apps/ios-identifiers';
import { type HealthCode, type HealthProblem, healthProblem } from './health-problem';

/**
 * Checks the iOS apps (Apple, "Supporting associated domains": an application identifier is the team id and the bundle id).
 * Stored values are validated again, because other programs may have written them.
 */
export function iosAppProblems(apps: readonly IosApp[]): HealthProblem[] {
  if (apps.length === 0)
    return [
      healthProblem('no_ios_app', 'The project has no iOS app; its links open in the browser.', { platform: 'ios' }),
    ];
  return apps.flatMap((app) => {
    const problem = (code: HealthCode, field: string) =>
      healthProblem(code, `The ${field} of ${quoted(app.name)} is invalid; links will not open the app.`, {
        platform: 'ios',
        appId: app.id,
      });
    return [
      ...(teamId.tryParse(app.teamId) === null ? [problem('malformed_team_id', 'team_id')] : []),
      ...(bundleId.tryParse(app.bundleId) === null || startsWithTeamId(app)
        ? [problem('malformed_bundle_id', 'bundle_id')]
        : []),
      ...(app.appClipBundleId === null || app.appClipBundleId.startsWith(`${app.bundleId}.`)
        ? []
        : [
            healthProblem(
              'app_clip_of_other_app',
              `The app_clip_bundle_id of ${quoted(app.name)} does not begin with its bundle_id.`,
              { platform: 'ios', appId: app.id },
            ),
          ]),
    ];
  });
}

/**
 * Checks the Android apps (Google, "Statement list syntax"). A single fingerprint is a hint, because it often belongs to the
 * upload key while Google Play signs with another (Android Developers, "Troubleshoot App Links").
 */
export function androidAppProblems(apps: readonly AndroidApp[]): HealthProblem[] {
  if (apps.length === 0)
    return [
      healthProblem('no_android_app', 'The project has no Android app; its links open in the browser.', {
        platform: 'android',
      }),
    ];
  return apps.flatMap((app) => {
    const problem = (code: HealthCode, message: string) =>
      healthProblem(code, message, { platform: 'android', appId: app.id });
    const name = quoted(app.name);
    const malformed = app.shaFingerprints.filter((one) => !isPublishable(one)).length;
    return [
      ...(packageName.tryParse(app.packageName) === null
        ? [problem('malformed_package_name', `The package_name of ${name} is invalid; links will not open the app.`)]
        : []),
      ...(app.shaFingerprints.length === 0
        ? [
            problem(
              'no_fingerprints',
              `${name} has no fingerprints and is not in the file; links will not open the app.`,
            ),
          ]
        : []),
      ...(malformed > 0 ? [problem('malformed_fingerprint', `${malformed} fingerprints of ${name} are invalid.`)] : []),
      ...(app.shaFingerprints.length === 1
        ? [problem('one_fingerprint', `${name} has one fingerprint, which may be that of its upload key.`)]
        : []),
    ];
  });
}

/** Returns whether Android accepts the fingerprint; it compares case-sensitively with capital letters. */
const isPublishable = (fingerprint: string): boolean =>
  fingerprintText.tryParse(fingerprint) !== null && fingerprint === fingerprint.toUpperCase();

const startsWithTeamId = (app: IosApp): boolean => teamIdProblems(app, app).some(({ path }) => path[0] === 'bundle_id');

const quoted = (name: string): string => `“${name}”`;
