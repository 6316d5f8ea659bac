import type { Field } from '../../shared/field-table';
import { jsonBoolean, limitsOf } from '../../shared/rule';
import { displayName } from '../../shared/text';
import { appPaths } from '../../link-paths/association-files/app-paths';
import { androidStores, fingerprints, maxFingerprints, packageName } from './android-identifiers';
import { appStoreId, bundleId, sentAppStoreId, teamId } from './ios-identifiers';

const name = {
  rule: displayName,
  required: true,
  description: 'Display name.',
  example: 'Shop',
  answer: { maxLength: displayName.schema.maxLength },
} as const satisfies Field;

/** Patterns of the paths that open the app; null derives them from the links. */
const paths = {
  rule: appPaths,
  default: null,
  description:
    'Paths whose links open the app: each begins with a slash and may end with `*`, such as `/shop/*`. Null derives them: ' +
    'a link opens the app that it names, and no other app of its platform in the project. A link that names no app of ' +
    'the platform may open any app whose paths are null. An empty list opens no link. Android versions before 15 ' +
    'ignore it.',
  example: ['/shop/*'],
} as const satisfies Field;

/** Whether the app shares passwords and passkeys with the link hosts. */
const sharedCredentials = { rule: jsonBoolean, default: false, example: false };

/** The fields of an iOS app in the order of errors, by their names in the API. */
export const iosAppFields = {
  name,
  bundle_id: {
    rule: bundleId,
    required: true,
    description: 'Bundle identifier without the team identifier, unique in the project without regard to letter case.',
    example: 'com.example.shop',
    answer: limitsOf(bundleId),
  },
  team_id: {
    rule: teamId,
    required: true,
    description: 'Apple developer team identifier.',
    example: 'ABCDE12345',
    answer: limitsOf(teamId),
  },
  appstore_id: {
    rule: sentAppStoreId,
    default: null,
    description: 'Number of the app in the App Store. `id` before the number is removed.',
    example: '1234567890',
    answer: limitsOf(appStoreId),
  },
  app_clip_bundle_id: {
    rule: bundleId,
    default: null,
    description: 'Bundle identifier of the App Clip, for `appclips` of the association file.',
    example: 'com.example.shop.Clip',
  },
  paths,
  shared_credentials: {
    ...sharedCredentials,
    description:
      'Whether the app uses passwords and passkeys of the link hosts, and receives https callbacks of web sign-in ' +
      '(`webcredentials` of the association file).',
  },
} as const satisfies Record<string, Field>;

/** The fields of an Android app in the order of errors, by their names in the API. */
export const androidAppFields = {
  name,
  package_name: {
    rule: packageName,
    required: true,
    description: 'Application ID, unique in the project.',
    example: 'com.example.shop',
    answer: limitsOf(packageName),
  },
  sha_fingerprints: {
    rule: fingerprints({ minItems: 1 }),
    required: true,
    description:
      'SHA-256 fingerprints of the certificates that sign the app. They are read in any letter case, with colons or without, and ' +
      'with the label that `keytool` and `apksigner` print. They are stored in upper case with colons, without duplicates. With ' +
      'Play App Signing, send the fingerprint that the Play Console shows under "App signing key certificate".',
    example: ['14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5'],
    answer: { maxItems: maxFingerprints },
    updateRule: fingerprints({ minItems: 0 }),
    onUpdate: 'An empty list removes the app from the asset-links file.',
  },
  android_stores: {
    column: 'jsonb',
    rule: androidStores,
    default: null,
    description:
      'Ids of the app in other stores: the app ID of AppGallery, and the package names in the Amazon Appstore and the Galaxy Store. ' +
      "Visitors whose user agent names a device of the store's vendor are sent there instead of the Play Store.",
    example: { appgallery: 'C100000001', amazon: 'com.example.shop', samsung: 'com.example.shop' },
    answer: { properties: { appgallery: { type: 'string' }, amazon: { type: 'string' }, samsung: { type: 'string' } } },
    onUpdate: 'The object replaces the stored one.',
  },
  paths,
  shared_credentials: {
    ...sharedCredentials,
    description:
      'Whether the app uses passwords and passkeys of the link hosts (relation `delegate_permission/common.get_login_creds`).',
  },
} as const satisfies Record<string, Field>;
