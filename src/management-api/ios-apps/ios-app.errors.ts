import { DomainError } from '../../shared/domain-error';

export class BundleIdExists extends DomainError {
  readonly code = 'BUNDLE_ID_EXISTS';

  constructor(bundleId: string) {
    super(`The project already has an iOS app with the bundle id ${bundleId}`);
  }
}

export class IosAppReferenced extends DomainError {
  readonly code = 'LINKED_REFERENCES';

  constructor() {
    super('Dynamic links reference this iOS app; unlink it from them first');
  }
}

export class IosAppNotFound extends DomainError {
  readonly code = 'IOS_APP_NOT_FOUND';

  constructor() {
    super('There is no iOS app with the id in ios_app_id');
  }
}
