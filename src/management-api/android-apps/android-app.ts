import { listOf, refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import type { MobileApp, MobileAppFields } from '../mobile-apps/mobile-app';

/** Accepts a package name by the rules of Google Play (Android Developers, "Set the application ID"). */
export const packageName = text({
  max: 255,
  pattern: /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+$/,
  patternSays:
    'have two or more segments joined by dots, each with a letter first and then letters, digits or underscores',
});

/** Accepts the fingerprint in the form of the asset-links file, in any letter case. */
export const fingerprintText = text({
  pattern: /^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31}$/,
  patternSays: 'be a SHA-256 fingerprint: 32 pairs of hex digits joined by colons',
});

/**
 * Returns the pattern of the label that `keytool` or `apksigner` prints before a digest. `apksigner` names the signer by its number, by
 * versions of Android, or from version 37 by the scheme, as in `V3.0 Signer:`. The signer of a source stamp does not sign the app.
 */
const labelOf = (algorithm: string): string =>
  '(?:[ \\t]*(?:(?:V[0-9.]+ )?Signer(?::| #[0-9]+| \\([A-Za-z0-9=, ()]+\\)) certificate )?' +
  `${algorithm}(?: digest)?:[ \\t]*)?`;

/** A digest in hex with its label. Colons join all pairs or none. */
const printedDigest = new RegExp(
  `^${labelOf('([Ss][Hh][Aa]-?(?:256|1)|MD5)')}([0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2})+|(?:[0-9A-Fa-f]{2})+))$`,
);

/** Digests that the same programs print, by their length in bytes. */
const otherDigests = new Map([
  [16, 'MD5'],
  [20, 'SHA-1'],
]);

/** Accepts the fingerprint also without colons and with its label. */
export const sentFingerprint = new Rule<string>(
  {
    type: 'string',
    pattern: `^${labelOf('[Ss][Hh][Aa]-?256')}[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){31}|[0-9A-Fa-f]{62})$`,
  },
  (value) => {
    const [, label, digest] = (typeof value === 'string' ? printedDigest.exec(value) : null) ?? [];
    const pairs = digest?.match(/[0-9A-F]{2}/gi);
    if (!pairs) return fingerprintText.safeParse(value);
    const other = otherDigests.get(pairs.length);
    if (other !== undefined)
      return refused('invalid_format', `is the ${other} fingerprint; send the SHA-256 fingerprint, which has 32 bytes`);
    return fingerprintText.safeParse(label && !label.endsWith('256') ? value : pairs.join(':'));
  },
);

export const maxFingerprints = 50;

/** Reads SHA-256 fingerprints of signing certificates: in upper case, without duplicates, in the order sent. */
export const fingerprints = ({ minItems }: { minItems: number }): Rule<string[]> =>
  listOf(sentFingerprint, { minItems, maxItems: maxFingerprints }, (items) => [
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
