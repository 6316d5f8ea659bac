import { listOf, type Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import type { MobileApp, MobileAppFields } from '../mobile-apps/mobile-app';

/** Accepts a package name by the rules of Google Play (Android Developers, "Set the application ID"). */
export const packageName = text({
  max: 255,
  pattern: /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/,
  patternSays:
    'have two or more segments joined by dots, each with a letter first and then letters, digits or underscores',
});

export const fingerprintText = text({
  pattern: /^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31}$/,
  patternSays: 'be a SHA-256 fingerprint: 32 pairs of hex digits joined by colons',
});

export const maxFingerprints = 50;

/** Reads SHA-256 fingerprints of signing certificates: in upper case, without duplicates, in the order sent. */
export const fingerprints = ({ minItems }: { minItems: number }): Rule<string[]> =>
  listOf(fingerprintText, { minItems, maxItems: maxFingerprints }, (items) => [
    ...new Set(items.map((item) => item.toUpperCase())),
  ]);

/** An Android app of a project: credentials for the asset-links file. */
export interface AndroidApp extends MobileApp {
  readonly packageName: string;
  readonly shaFingerprints: string[];
  /** Patterns of the paths that open the app; null derives them from the links. */
  readonly paths: string[] | null;
  /** Whether the app shares passwords and passkeys with the link hosts. */
  readonly sharedCredentials: boolean;
}

export type NewAndroidApp = MobileAppFields<AndroidApp>;
export type AndroidAppChanges = Partial<NewAndroidApp>;
export type AndroidAppSortKey = 'name' | 'package_name' | 'created_at' | 'updated_at';
