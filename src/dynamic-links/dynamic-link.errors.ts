import { DomainError } from '../shared/domain-error';

export class CustomPathExists extends DomainError {
  readonly code = 'CUSTOM_PATH_EXISTS';

  constructor(customPath: string) {
    super(`The path ${customPath} is already used in this project`);
  }
}

export class IosAppNotFound extends DomainError {
  readonly code = 'IOS_APP_NOT_FOUND';

  constructor() {
    super('There is no iOS app with the id in ios_app_id');
  }
}

export class AndroidAppNotFound extends DomainError {
  readonly code = 'ANDROID_APP_NOT_FOUND';

  constructor() {
    super('There is no Android app with the id in android_app_id');
  }
}
