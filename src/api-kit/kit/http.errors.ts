import { maxBodyBytes } from '../../platform/http/unwanted-body';
import { DomainError, domainError } from '../../shared/domain-error';
import { clip } from '../../shared/problem';

export class Unauthorized extends domainError(
  'UNAUTHORIZED',
  () => 'The API key or dashboard token is missing or invalid; send a valid one as Authorization: Bearer …',
) {}

/** An API key called an operation that needs a signed-in user. */
export class AuthRequired extends domainError(
  'AUTH_REQUIRED',
  () => 'An API key cannot perform this operation; send the dashboard token of a signed-in user',
) {}

export class MethodNotAllowed extends DomainError {
  readonly code = 'METHOD_NOT_ALLOWED';

  constructor(readonly allowed: string[]) {
    super(`The resource does not support this method; use one of ${allowed.join(', ')}`);
  }
}

export class PayloadTooLarge extends domainError(
  'PAYLOAD_TOO_LARGE',
  (maxBytes: number = maxBodyBytes) => `The body must not be larger than ${maxBytes / 1000} kB`,
) {}

export class UnsupportedMediaType extends domainError(
  'UNSUPPORTED_MEDIA_TYPE',
  (message?: string) => message ?? 'The body must be application/json in UTF-8',
) {}

/** The values of `Content-Encoding` that bodies may have. */
export const contentEncodings = ['gzip', 'deflate', 'br'] as const;

/** Refuses a coding of the body. The answer has `Accept-Encoding` (RFC 9110, section 12.5.3). */
export class UnsupportedContentEncoding extends UnsupportedMediaType {
  /** @param encoding the value of `Content-Encoding` */
  constructor(encoding: string) {
    super(
      `The Content-Encoding ${JSON.stringify(clip(encoding))} is not supported; use ${contentEncodings.join(', ')}, or send the body unencoded`,
    );
  }
}

/** Reports that `If-Match` names another version of the resource (RFC 9110, section 13.1.1). */
export class PreconditionFailed extends domainError(
  'PRECONDITION_FAILED',
  () => 'The resource does not match If-Match; read it again and send its new ETag',
) {}
