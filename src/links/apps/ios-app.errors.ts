import { DomainError } from '../../shared/domain-error';

export class BundleIdExists extends DomainError {
  readonly code = 'BUNDLE_ID_EXISTS';

  constructor(bundleId: string) {
    super(
      `The project already has an iOS app with the bundle id ${bundleId}; update that app or choose another bundle id`,
    );
  }
}

export class IosAppNotFound extends DomainError {
  readonly code = 'IOS_APP_NOT_FOUND';

  constructor() {
    super('The iOS app of ios_app_id does not exist; send the id of a registered app');
  }
}
