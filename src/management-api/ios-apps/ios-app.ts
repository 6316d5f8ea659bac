import { text } from '../../shared/text';
import type { MobileApp, MobileAppFields } from '../mobile-apps/mobile-app';

/** Accepts letters, digits, hyphens and dots (Apple, "CFBundleIdentifier"). */
export const bundleId = text({
  min: 1,
  max: 155,
  pattern: /^[A-Za-z0-9.-]+$/,
  patternSays: 'consist of letters, digits, hyphens and dots',
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

/** Accepts the number of an app in the App Store. */
export const appStoreId = text({ min: 1, max: 20, pattern: /^[0-9]+$/, patternSays: 'consist of digits' });

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

export type NewIosApp = MobileAppFields<IosApp>;
export type IosAppChanges = Partial<NewIosApp>;
export type IosAppSortKey = 'name' | 'bundle_id' | 'created_at' | 'updated_at';
