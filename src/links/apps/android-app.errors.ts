import { DomainError } from '../../shared/domain-error';

export class PackageNameExists extends DomainError {
  readonly code = 'PACKAGE_NAME_EXISTS';

  constructor(packageName: string) {
    super(
      `The project already has an Android app with the package name ${packageName}; update that app or choose another name`,
    );
  }
}

export class AndroidAppNotFound extends DomainError {
  readonly code = 'ANDROID_APP_NOT_FOUND';

  constructor() {
    super('The Android app of android_app_id does not exist; send the id of a registered app');
  }
}
