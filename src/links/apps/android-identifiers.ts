import { alsoWritten, listOf, refused, Rule, wrongType } from '../../shared/rule';
import { text } from '../../shared/text';
import { isObject } from '../../shared/is-object';

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

/** Other stores than Google Play, with the rule of an app's id there. */
const storeIds = {
  /** AppGallery Connect shows the id without its `C`. */
  appgallery: alsoWritten(
    text({ max: 20, pattern: /^C[0-9]{1,19}$/, patternSays: 'be the app ID of AppGallery: C and digits' }),
    { maxLength: 20, pattern: '^C?[0-9]{1,19}$' },
    (sent) => sent.replace(/^(?=[0-9])/, 'C'),
  ),
  amazon: packageName,
  samsung: packageName,
} satisfies Record<string, Rule<string>>;

export type AndroidStore = keyof typeof storeIds;

export type AndroidStores = Partial<Record<AndroidStore, string>>;

const storeNames = Object.keys(storeIds) as AndroidStore[];

export const androidStores = new Rule<AndroidStores>(
  {
    type: 'object',
    properties: Object.fromEntries(storeNames.map((store) => [store, storeIds[store].schema])),
    additionalProperties: false,
  },
  (sent) => {
    if (!isObject(sent)) return wrongType('object');
    const unknown = Object.keys(sent).find((name) => !Object.hasOwn(storeIds, name));
    if (unknown !== undefined)
      return refused('invalid_enum_value', `must be one of ${storeNames.join(', ')}`, [unknown]);
    const readings = storeNames
      .filter((store) => Object.hasOwn(sent, store))
      .map((store) => [store, storeIds[store].safeParse((sent as AndroidStores)[store])] as const);
    const problems = readings.flatMap(([store, reading]) =>
      'problems' in reading ? reading.problems.map((problem) => ({ ...problem, path: [store] })) : [],
    );
    if (problems.length > 0) return { problems };
    return {
      value: Object.fromEntries(
        readings.flatMap(([store, reading]) => ('value' in reading ? [[store, reading.value]] : [])),
      ),
    };
  },
);
