import { destinationHost } from '../../shared/destination-host';
import type { Field } from '../../shared/field-table';
import { jsonBoolean, limitsOf, listOf } from '../../shared/rule';
import { fingerprints, maxFingerprints, packageName } from '../apps/android-identifiers';
import { bundleId } from '../apps/ios-identifiers';
import { appPaths } from '../../link-paths/association-files/app-paths';
import { appVersion } from '../../link-paths/release-guard/app-version';

const version = {
  rule: appVersion,
  required: true,
  description: 'Version that people have installed, unique per app.',
  example: '1.2.3',
  answer: limitsOf(appVersion),
} as const satisfies Field;

const maxHosts = 50;

const hosts = {
  rule: listOf(destinationHost, { minItems: 1, maxItems: maxHosts }),
  required: true,
  description:
    'Hosts that the version opens: associated domains of iOS, or hosts of verified intent filters of Android. `*.example.com` is all ' +
    'hosts below it.',
  example: ['go.example.com'],
  answer: { maxItems: maxHosts },
} as const satisfies Field;

const paths = {
  rule: appPaths,
  default: null,
  description: 'Paths that the version opens, as patterns such as `/shop/*`. Null: all paths of its hosts.',
  example: ['/shop/*'],
} as const satisfies Field;

const retired = {
  rule: jsonBoolean,
  default: false,
  description: 'Whether nobody needs the version any more. A change that breaks it is not reported.',
  example: false,
} as const satisfies Field;

const asRegistered = 'Absent: that of the app.';

/** The fields of a released version, by the platform of its app and in the order of errors. */
export const releaseFields = {
  ios: {
    version,
    hosts,
    paths,
    bundle_id: {
      rule: bundleId,
      description: 'Bundle identifier of the version.',
      onCreate: asRegistered,
      example: 'com.example.shop',
      answer: limitsOf(bundleId),
    },
    retired,
  },
  android: {
    version,
    hosts,
    paths,
    package_name: {
      rule: packageName,
      description: 'Application ID of the version.',
      onCreate: asRegistered,
      example: 'com.example.shop',
      answer: limitsOf(packageName),
    },
    sha_fingerprints: {
      rule: fingerprints({ minItems: 1 }),
      description: 'SHA-256 fingerprints of the certificates that sign the version, one for each store that has it.',
      onCreate: 'Absent: those of the app.',
      example: ['14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5'],
      answer: { maxItems: maxFingerprints },
    },
    retired,
  },
} as const satisfies Record<string, Record<string, Field>>;
