import { jsonBoolean, limitsOf, type Rule } from '../../shared/rule';
import { displayName } from '../../shared/text';
import { appPaths } from '../association-files/app-paths';
import { androidStores, fingerprints, maxFingerprints, packageName } from './android-identifiers';
import { appStoreId, bundleId, sentAppStoreId, teamId } from './ios-identifiers';

/** A field of an app that callers set. */
export interface AppField {
  /** The name in the API, and of the column. */
  readonly column: string;
  /** The rule of values that callers send. */
  readonly rule: Rule<unknown>;
  /** The value if a new app has none. A field without default is required, and one whose default is null is nullable. */
  readonly default?: unknown;
  readonly description: string;
  readonly example: unknown;
  /** The limits of stored values, for the API description. */
  readonly limits?: object;
  /** Differences of the field in updates. */
  readonly update?: { readonly rule?: Rule<unknown>; readonly remark: string };
}

type AppFieldTable = Readonly<Record<string, AppField>>;

const name = {
  column: 'name',
  rule: displayName,
  description: 'Display name.',
  example: 'Shop',
  limits: { maxLength: displayName.schema.maxLength },
} satisfies AppField;

/** Patterns of the paths that open the app; null derives them from the links. */
const paths = {
  column: 'paths',
  rule: appPaths,
  default: null,
  description:
    'Paths whose links open the app: each begins with a slash and may end with `*`, such as `/shop/*`. Null derives them: ' +
    'a link opens the app that it names, and no other app of its platform in the project. A link that names no app of ' +
    'the platform may open any app whose paths are null. An empty list opens no link. Android versions before 15 ' +
    'ignore it.',
  example: ['/shop/*'],
} satisfies AppField;

/** Whether the app shares passwords and passkeys with the link hosts. */
const sharedCredentials = { column: 'shared_credentials', rule: jsonBoolean, default: false, example: false };

/** The fields of an iOS app in the order of errors, by property. */
export const iosAppFields = {
  name,
  bundleId: {
    column: 'bundle_id',
    rule: bundleId,
    description: 'Bundle identifier without the team identifier, unique in the project without regard to letter case.',
    example: 'com.example.shop',
    limits: limitsOf(bundleId),
  },
  teamId: {
    column: 'team_id',
    rule: teamId,
    description: 'Apple developer team identifier.',
    example: 'ABCDE12345',
    limits: limitsOf(teamId),
  },
  appStoreId: {
    column: 'appstore_id',
    rule: sentAppStoreId,
    default: null,
    description: 'Number of the app in the App Store. `id` before the number is removed.',
    example: '1234567890',
    limits: limitsOf(appStoreId),
  },
  appClipBundleId: {
    column: 'app_clip_bundle_id',
    rule: bundleId,
    default: null,
    description: 'Bundle identifier of the App Clip, for `appclips` of the association file.',
    example: 'com.example.shop.Clip',
  },
  paths,
  sharedCredentials: {
    ...sharedCredentials,
    description:
      'Whether the app uses passwords and passkeys of the link hosts, and receives https callbacks of web sign-in ' +
      '(`webcredentials` of the association file).',
  },
} satisfies AppFieldTable;

/** The fields of an Android app in the order of errors, by property. */
export const androidAppFields = {
  name,
  packageName: {
    column: 'package_name',
    rule: packageName,
    description: 'Application ID, unique in the project.',
    example: 'com.example.shop',
    limits: limitsOf(packageName),
  },
  shaFingerprints: {
    column: 'sha_fingerprints',
    rule: fingerprints({ minItems: 1 }),
    description:
      'SHA-256 fingerprints of the certificates that sign the app. They are read in any letter case, with colons or without, and ' +
      'with the label that `keytool` and `apksigner` print. They are stored in upper case with colons, without duplicates. With ' +
      'Play App Signing, send the fingerprint that the Play Console shows under "App signing key certificate".',
    example: ['14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5'],
    limits: { maxItems: maxFingerprints },
    update: {
      rule: fingerprints({ minItems: 0 }),
      remark: 'An empty list removes the app from the asset-links file.',
    },
  },
  androidStores: {
    column: 'android_stores',
    rule: androidStores,
    default: null,
    description:
      'Ids of the app in other stores: the app ID of AppGallery, and the package names in the Amazon Appstore and the Galaxy Store. ' +
      "Visitors whose user agent names a device of the store's vendor are sent there instead of the Play Store.",
    example: { appgallery: 'C100000001', amazon: 'com.example.shop', samsung: 'com.example.shop' },
    limits: { properties: { appgallery: { type: 'string' }, amazon: { type: 'string' }, samsung: { type: 'string' } } },
    update: { remark: 'The object replaces the stored one.' },
  },
  paths,
  sharedCredentials: {
    ...sharedCredentials,
    description:
      'Whether the app uses passwords and passkeys of the link hosts (relation `delegate_permission/common.get_login_creds`).',
  },
} satisfies AppFieldTable;
