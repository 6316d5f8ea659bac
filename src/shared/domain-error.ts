/** The closed list of machine-readable error codes, each with its HTTP status (docs/contract.md, “Errors and codes”). */
export const statusOf = {
  INVALID_INPUT: 400,
  FORBIDDEN_FIELD: 400,
  UNAUTHORIZED: 401,
  AUTH_REQUIRED: 401,
  ACCESS_DENIED: 403,
  FORBIDDEN_PLAN: 403,
  FORBIDDEN_CROSS_SCOPE: 403,
  NOT_FOUND: 404,
  IOS_APP_NOT_FOUND: 404,
  ANDROID_APP_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  SUBDOMAIN_TAKEN: 409,
  CUSTOM_PATH_EXISTS: 409,
  EXTERNAL_ID_EXISTS: 409,
  TAG_EXISTS: 409,
  TEMPLATE_EXISTS: 409,
  SLUG_EXISTS: 409,
  BUNDLE_ID_EXISTS: 409,
  PACKAGE_NAME_EXISTS: 409,
  RELEASE_EXISTS: 409,
  BREAKS_RELEASED_APP: 409,
  LINKED_REFERENCES: 409,
  DOMAIN_EXISTS: 409,
  DOMAIN_TAKEN: 409,
  DOMAIN_NOT_VERIFIED: 409,
  MEMBER_EXISTS: 409,
  LAST_OWNER: 409,
  APPROVAL_STATE: 409,
  IMPORT_STATE: 409,
  BULK_REFUSED: 409,
  COUNT_MISMATCH: 409,
  IDEMPOTENCY_CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  DATABASE_ERROR: 503,
  CREATE_FAILED: 500,
  UPDATE_FAILED: 500,
  DELETE_FAILED: 500,
  UNKNOWN_ERROR: 500,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof statusOf;

export const errorCodes = Object.keys(statusOf) as ErrorCode[];

/** A refusal that the caller can act on. The caller sees its message, so the message names nothing internal. */
export abstract class DomainError extends Error {
  abstract readonly code: ErrorCode;
  readonly details?: unknown;

  override get name(): string {
    return this.constructor.name;
  }
}

/** Returns a class of errors that have a code, a message and perhaps details. */
export const domainError = <Parts extends unknown[], Details = unknown>(
  errorCode: ErrorCode,
  message: (...parts: Parts) => string,
  details?: (...parts: NoInfer<Parts>) => Details,
) =>
  class extends DomainError {
    readonly code = errorCode;
    override readonly details: Details;

    constructor(...parts: Parts) {
      super(message(...parts));
      this.details = details?.(...parts) as Details;
    }
  };

export class CrossScope extends domainError(
  'FORBIDDEN_CROSS_SCOPE',
  (what: string) => `${what} belongs to another project`,
) {}

export class NotFound extends domainError('NOT_FOUND', (what: string) => `${what} not found`) {}
