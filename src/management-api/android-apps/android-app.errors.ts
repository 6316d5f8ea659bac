import { DomainError } from '../../shared/domain-error';

export class PackageNameExists extends DomainError {
  readonly code = 'PACKAGE_NAME_EXISTS';

  constructor(packageName: string) {
    super(`The project already has an Android app with the package name ${packageName}`);
  }
}

export class AndroidAppReferenced extends DomainError {
  readonly code = 'LINKED_REFERENCES';

  constructor() {
    super('Dynamic links reference this Android app; unlink it from them first');
  }
}

export class AndroidAppNotFound extends DomainError {
  readonly code = 'ANDROID_APP_NOT_FOUND';

  constructor() {
    super('There is no Android app with the id in android_app_id');
  }
}
