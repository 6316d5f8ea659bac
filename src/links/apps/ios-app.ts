import { inField, type Problem } from '../../shared/problem';
import { alsoWritten } from '../../shared/rule';
import { text } from '../../shared/text';
import type { MobileApp, MobileAppFields } from './mobile-app';

/**
 * Accepts letters, digits, hyphens and dots (Apple, "CFBundleIdentifier"). Old apps in the App Store have underscores too, which
 * Apple no longer allows in new apps.
 */
export const bundleId = text({
  min: 1,
  max: 155,
  pattern: /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/,
  patternSays: 'consist of letters, digits, hyphens and underscores, in parts joined by single dots',
});

/** Returns the form in which bundle ids are compared, because a project has each one once without regard to letter case. */
export const foldBundleId = (id: string): string => id.toLowerCase();

/** Accepts a team identifier of Apple. */
export const teamId = text({
  min: 10,
  max: 10,
  pattern: /^[A-Z0-9]+$/,
  patternSays: 'consist of capital letters and digits',
});

/** Accepts the number of an app in the App Store, as it is stored. */
export const appStoreId = text({ min: 1, max: 20, pattern: /^[0-9]+$/, patternSays: 'consist of digits' });

/** Accepts the number also with `id` before it, as addresses of the App Store have it. */
export const sentAppStoreId = alsoWritten(appStoreId, { maxLength: 22, pattern: '^(?:id)?[0-9]{1,20}$' }, (sent) =>
  sent.replace(/^id(?=[0-9])/, ''),
);

/** An iOS app of a project: credentials for the Apple association file. */
export interface IosApp extends MobileApp {
  readonly bundleId: string;
  readonly teamId: string;
  readonly appStoreId: string | null;
  /** Null without an App Clip. */
  readonly appClipBundleId: string | null;
  /** Patterns of the paths that open the app; null derives them from the links. */
  readonly paths: string[] | null;
  /** Whether the app shares passwords and passkeys with the link hosts. */
  readonly sharedCredentials: boolean;
}

/** Refuses changes after which an identifier of the app starts with its team id, as in the association file. */
export const teamIdProblems = (app: NewIosApp, changes: IosAppChanges): Problem[] =>
  (
    [
      ['bundle_id', 'bundleId'],
      ['app_clip_bundle_id', 'appClipBundleId'],
    ] as const
  ).flatMap(([name, field]) => {
    const [id, prefix] = [app[field], `${app.teamId}.`];
    const isChanged = field in changes || 'teamId' in changes;
    if (!isChanged || !id?.toUpperCase().startsWith(prefix)) return [];
    const message = `must not start with the team_id; send ${id.slice(prefix.length)}`;
    return inField(name, [{ code: 'invalid_format', path: [], message }]);
  });

export type NewIosApp = MobileAppFields<IosApp>;
export type IosAppChanges = Partial<NewIosApp>;
export type IosAppSortKey = 'name' | 'bundle_id' | 'created_at' | 'updated_at';
