/**
 * The closed list of machine-readable error codes (docs/contract.md, “Errors and codes”).
 * `management-api/kit/error-status.ts` maps each to its status; a missing entry does not compile.
 */
export const errorCodes = [
  'INVALID_INPUT',
  'FORBIDDEN_FIELD',
  'UNAUTHORIZED',
  'AUTH_REQUIRED',
  'ACCESS_DENIED',
  'FORBIDDEN_PLAN',
  'FORBIDDEN_CROSS_SCOPE',
  'NOT_FOUND',
  'IOS_APP_NOT_FOUND',
  'ANDROID_APP_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'SUBDOMAIN_TAKEN',
  'CUSTOM_PATH_EXISTS',
  'EXTERNAL_ID_EXISTS',
  'TAG_EXISTS',
  'SLUG_EXISTS',
  'BUNDLE_ID_EXISTS',
  'PACKAGE_NAME_EXISTS',
  'LINKED_REFERENCES',
  'DOMAIN_EXISTS',
  'DOMAIN_TAKEN',
  'DOMAIN_NOT_VERIFIED',
  'MEMBER_EXISTS',
  'LAST_OWNER',
  'IMPORT_STATE',
  'BULK_REFUSED',
  'COUNT_MISMATCH',
  'IDEMPOTENCY_CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'DATABASE_ERROR',
  'CREATE_FAILED',
  'UPDATE_FAILED',
  'DELETE_FAILED',
  'UNKNOWN_ERROR',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** A refusal that the caller can act on. The caller sees its message, so the message names nothing internal. */
export abstract class DomainError extends Error {
  abstract readonly code: ErrorCode;
  readonly details?: unknown;

  override get name(): string {
    return this.constructor.name;
  }
}

/** Returns a class of errors that have a code and a message. */
export const domainError = <Parts extends unknown[]>(errorCode: ErrorCode, message: (...parts: Parts) => string) =>
  class extends DomainError {
    readonly code = errorCode;

    constructor(...parts: Parts) {
      super(message(...parts));
    }
  };

export class CrossScope extends domainError(
  'FORBIDDEN_CROSS_SCOPE',
  (what: string) => `${what} belongs to another project`,
) {}

export class NotFound extends domainError('NOT_FOUND', (what: string) => `${what} not found`) {}
