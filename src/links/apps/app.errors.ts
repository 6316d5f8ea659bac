import { domainError } from '../../shared/domain-error';
import type { Plan } from '../../tenancy/accounts/plan';

export class BundleIdExists extends domainError(
  'BUNDLE_ID_EXISTS',
  (bundleId: string) =>
    `The project already has an iOS app with the bundle id ${bundleId}; update that app or choose another bundle id`,
) {}

export class PackageNameExists extends domainError(
  'PACKAGE_NAME_EXISTS',
  (packageName: string) =>
    `The project already has an Android app with the package name ${packageName}; update that app or choose another name`,
) {}

export class IosAppNotFound extends domainError(
  'IOS_APP_NOT_FOUND',
  () => 'The iOS app of ios_app_id does not exist; send the id of a registered app',
) {}

export class AndroidAppNotFound extends domainError(
  'ANDROID_APP_NOT_FOUND',
  () => 'The Android app of android_app_id does not exist; send the id of a registered app',
) {}

/**
 * Refuses a change after which phones would ignore the association file. Details: as for `LimitReached`, in bytes.
 */
export class AssociationFileFull extends domainError(
  'ACCESS_DENIED',
  (file: string, { limit, needed }: { limit: number; used: number; needed: number; plan: Plan }) =>
    `${file} would have ${needed} bytes, and ${limit} are the limit: use fewer apps, shorter identifiers or fewer fingerprints`,
  (_, { limit, used, plan }) => ({ limit, used, current_plan: plan, required_plan: null }),
) {}
