import type { ErrorCode } from '../../shared/domain-error';

/**
 * An error case of an operation. `QUOTA` is a plan's limit, which shares the code ACCESS_DENIED with foreign resources, missing scopes
 * and roles, and refused destinations.
 * `CONCURRENCY` shares the code RATE_LIMITED with the limit per minute, and `TOO_EXPENSIVE` the code DATABASE_ERROR with an outage.
 */
export type ErrorCase =
  | ErrorCode
  | 'APPROVAL_REQUIRED'
  | 'QUOTA'
  | 'SCOPE_REQUIRED'
  | 'ROLE_REQUIRED'
  | 'DESTINATION_REFUSED'
  | 'CONCURRENCY'
  | 'TOO_EXPENSIVE';

const sharedCodes: Partial<Record<ErrorCase, ErrorCode>> = {
  APPROVAL_REQUIRED: 'ACCESS_DENIED',
  QUOTA: 'ACCESS_DENIED',
  SCOPE_REQUIRED: 'ACCESS_DENIED',
  ROLE_REQUIRED: 'ACCESS_DENIED',
  DESTINATION_REFUSED: 'ACCESS_DENIED',
  CONCURRENCY: 'RATE_LIMITED',
  TOO_EXPENSIVE: 'DATABASE_ERROR',
};

export const codeOf = (error: ErrorCase): ErrorCode => sharedCodes[error] ?? (error as ErrorCode);

type Example = readonly [summary: string, message: string, details?: unknown];

/** One example per case, worded as the service words it. */
const examples: Record<ErrorCase, Example> = {
  INVALID_INPUT: [
    'The body or the query is invalid',
    'name is required',
    [{ code: 'required', path: ['name'], message: 'name is required' }],
  ],
  FORBIDDEN_FIELD: [
    'The body has a field that is not allowed',
    'Fields that this operation does not accept: id',
    [{ code: 'unrecognized_key', path: ['id'], message: 'id is not a field that this operation takes' }],
  ],
  UNAUTHORIZED: [
    'The API key or token is missing, invalid, expired or revoked',
    'The API key or dashboard token is missing or invalid; send a valid one as Authorization: Bearer …',
  ],
  AUTH_REQUIRED: [
    'The operation requires a signed-in user',
    'An API key cannot perform this operation; send the dashboard token of a signed-in user',
  ],
  ACCESS_DENIED: ['The resource belongs to another account', 'The project belongs to another account'],
  SCOPE_REQUIRED: [
    'The API key lacks the scope',
    'The API key does not have the scope links:write; use a key that has it',
    { required_scope: 'links:write' },
  ],
  ROLE_REQUIRED: [
    'The role of the person is too low',
    'The operation requires the role editor; ask an owner of the account for it',
    { required_role: 'editor' },
  ],
  APPROVAL_REQUIRED: [
    'Another person must approve the change',
    'The change waits for another person, who can approve it within 7 days; approval_id names it',
    { reason: 'approval', approval_id: '0198c0de-7e57-7000-8000-0000000000a9' },
  ],
  DESTINATION_REFUSED: [
    'The project or the API key does not allow the host of a destination',
    'desktop_url leads to evil.example, which destination_hosts of the project does not have; use a host of the list',
    { destination_host: 'evil.example', field: 'desktop_url', limited_by: 'project' },
  ],
  QUOTA: [
    "The plan's limit is reached",
    "The free plan's limit of projects is reached: 1 of 1 are in use; delete some, or change to the pro plan",
    {
      limit: 1,
      used: 1,
      current_plan: 'free',
      required_plan: 'pro',
    },
  ],
  FORBIDDEN_PLAN: [
    'The plan does not include the feature',
    'The free plan does not include deferred deep links; the pro plan does',
    { feature: 'deferred_deep_links', current_plan: 'free', required_plan: 'pro' },
  ],
  FORBIDDEN_CROSS_SCOPE: [
    'A referenced resource belongs to a different project or account',
    'The iOS app of ios_app_id belongs to another project',
  ],
  NOT_FOUND: ['The resource does not exist', 'Project not found'],
  IOS_APP_NOT_FOUND: [
    'The iOS app of ios_app_id does not exist',
    'The iOS app of ios_app_id does not exist; send the id of a registered app',
  ],
  ANDROID_APP_NOT_FOUND: [
    'The Android app of android_app_id does not exist',
    'The Android app of android_app_id does not exist; send the id of a registered app',
  ],
  METHOD_NOT_ALLOWED: [
    'The route does not support the method',
    'The resource does not support this method; use one of GET, HEAD',
  ],
  SUBDOMAIN_TAKEN: [
    'The subdomain is or was used by another project, is held for another account, or is reserved',
    'The subdomain summer is in use; choose another one',
  ],
  CUSTOM_PATH_EXISTS: [
    'The path is already used in the project',
    'The path summer/sale is already used in this project; choose another one',
  ],
  EXTERNAL_ID_EXISTS: [
    'Another link of the project has the external id',
    'Another link of this project has the external_id crm-4711; update that link or choose another one',
  ],
  TAG_EXISTS: [
    'The project already has the tag',
    'The project already has the tag Newsletter; merge the two tags or choose another name',
  ],
  TEMPLATE_EXISTS: [
    'The project already has the template',
    'The project already has the template Newsletter; update it or choose another name',
  ],
  SLUG_EXISTS: [
    'The slug is already used in the project',
    'The slug s4le is already used in this project; choose another one',
  ],
  BUNDLE_ID_EXISTS: [
    'The bundle id is already used in the project',
    'The project already has an iOS app with the bundle id com.example.shop; update that app or choose another bundle id',
  ],
  PACKAGE_NAME_EXISTS: [
    'The package name is already used in the project',
    'The project already has an Android app with the package name com.example.shop; update that app or choose another name',
  ],
  RELEASE_EXISTS: [
    'The app already has the version',
    'The app already has the version 1.2.3; update that release or send another version',
  ],
  BREAKS_RELEASED_APP: [
    'The change breaks released versions of apps that `acknowledge` does not name',
    'The change breaks versions that people have installed: 1.2.3; keep what they need, retire them, or name all of them in acknowledge',
    {
      releases: [
        {
          platform: 'ios',
          app_id: '0198c0de-7e57-7000-8000-0000000000b1',
          version: '1.2.3',
          reason: 'host',
          lost: 'go.example.com',
        },
      ],
    },
  ],
  LINKED_REFERENCES: [
    'Dynamic links reference the app',
    '1 dynamic link references this iOS app: summer/sale; change its ios_app_id first, or delete it',
    {
      total: 1,
      dynamic_links: [{ id: '0198c0de-7e57-7000-8000-000000000002', name: 'Summer sale', custom_path: 'summer/sale' }],
    },
  ],
  DOMAIN_EXISTS: [
    'The project already has the domain',
    'The project already has the domain links.example.com; use the existing one',
  ],
  DOMAIN_TAKEN: [
    'Another project has verified the domain, or the domain is held',
    'Another project has verified links.example.com; remove the domain from that project, or remove the TXT record of that project. Without the record, that project loses the domain after some days',
  ],
  DOMAIN_NOT_VERIFIED: [
    'The domain is not verified',
    'No TXT record _link-domain-challenge.links.example.com has the expected value; correct its value',
    {
      reason: 'other_value',
      record: {
        type: 'TXT',
        name: '_link-domain-challenge.links.example.com',
        value: '5f0c7f1c0a4d4a2e9b6a2f1f7d3b8c9e01234567',
      },
      found: ['mistyped'],
    },
  ],
  MEMBER_EXISTS: [
    'The account already has the member',
    'The account already has a member with this email or subject; change the roles of that member',
  ],
  LAST_OWNER: [
    'The account would have no owner',
    'An account with members needs an owner; give another member the role owner first',
  ],
  APPROVAL_STATE: ['The approval is decided or expired', 'The approval is approved; request the change again'],
  IMPORT_STATE: [
    'The state of the import does not allow the operation',
    'The import is checking; the operation needs ready',
    { state: 'checking' },
  ],
  BULK_REFUSED: [
    'An operation of an atomic request cannot be run',
    '2 operations of 3 cannot be run, so none was; correct them or send atomic: false',
    {
      operations: [
        {
          index: 1,
          code: 'INVALID_INPUT',
          message: 'name is required',
          details: [{ code: 'required', path: ['link', 'name'], message: 'name is required' }],
        },
        { index: 2, code: 'NOT_FOUND', message: 'Dynamic link not found' },
      ],
    },
  ],
  COUNT_MISMATCH: [
    'The filter finds another number of links',
    'The filter matches 14 links but 12 were expected. Nothing changed. Review them and send expected_count: 14.',
    { expected_count: 12, actual_count: 14 },
  ],
  IDEMPOTENCY_CONFLICT: [
    'The first request with the Idempotency-Key is still running',
    'A request with this Idempotency-Key is still running; try again shortly',
  ],
  PRECONDITION_FAILED: [
    'The resource does not match If-Match',
    'The resource does not match If-Match; read it again and send its new ETag',
  ],
  REQUEST_TIMEOUT: ['The request arrived too slowly', 'The request took too long to arrive; send it again'],
  PAYLOAD_TOO_LARGE: ['The body is larger than the operation allows', 'The body must not be larger than 100 kB'],
  UNSUPPORTED_MEDIA_TYPE: [
    'The body has a type or an encoding that the operation does not take',
    'The body must be application/json in UTF-8',
  ],
  RATE_LIMITED: ['Too many requests in this minute', 'Too many requests; try again in 12 s'],
  HEADERS_TOO_LARGE: [
    'The header of the request is too large',
    'The header of the request is too large; send less than 16 kB',
  ],
  CONCURRENCY: [
    'Too many requests of the account at the same time',
    'Too many requests of this account are running at the same time; try again in 1 s',
    { reason: 'concurrency' },
  ],
  DATABASE_ERROR: [
    'The database is unreachable, overloaded, read-only or too slow',
    'The database is not available at the moment; try again shortly',
  ],
  TOO_EXPENSIVE: [
    'The list cannot be read in time',
    'This takes too long to read; search for a longer text, remove filters or groups, or ask for an earlier page or a shorter period',
    { reason: 'too_expensive' },
  ],
  CREATE_FAILED: ['The database refused the request for an unknown reason', 'The resource could not be created'],
  UPDATE_FAILED: ['The database refused the request for an unknown reason', 'The resource could not be updated'],
  DELETE_FAILED: ['The database refused the request for an unknown reason', 'The resource could not be deleted'],
  UNKNOWN_ERROR: ['An unexpected error occurred', 'Something went wrong on our side'],
};

export const errorExamples = Object.fromEntries(
  Object.entries(examples).map(([name, [summary, message, details]]) => {
    const error = { code: codeOf(name as ErrorCase), message, ...(details !== undefined && { details }) };
    return [name, { summary, value: { error } }];
  }),
) as Record<ErrorCase, { summary: string; value: { error: object } }>;
