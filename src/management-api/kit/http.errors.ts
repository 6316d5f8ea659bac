import { DomainError } from '../../shared/domain-error';

export class Unauthorized extends DomainError {
  readonly code = 'UNAUTHORIZED';

  constructor() {
    super('A valid API key or dashboard token is required: Authorization: Bearer …');
  }
}

/** An API key called an operation that needs a signed-in user. */
export class AuthRequired extends DomainError {
  readonly code = 'AUTH_REQUIRED';

  constructor() {
    super('Sign in to the dashboard to do this: an API key does not open it');
  }
}

export class MethodNotAllowed extends DomainError {
  readonly code = 'METHOD_NOT_ALLOWED';

  constructor(readonly allowed: string[]) {
    super(`This resource answers ${allowed.join(', ')}`);
  }
}

export class PayloadTooLarge extends DomainError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor() {
    super('The body must not be larger than 100 kB');
  }
}

export class UnsupportedMediaType extends DomainError {
  readonly code = 'UNSUPPORTED_MEDIA_TYPE';

  constructor() {
    super('The body must be application/json in UTF-8');
  }
}

/** Reports that `If-Match` names another version of the resource (RFC 9110, section 13.1.1). */
export class PreconditionFailed extends DomainError {
  readonly code = 'PRECONDITION_FAILED';

  constructor() {
    super('The resource has changed since you read it; read it again and decide anew');
  }
}
