import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { statusOf } from '../../shared/domain-error';
import { requirePolicy } from '../policy/policies';
import type { Policy } from '../policy/policy';
import { type DescribedOperation, operationsOf } from './described-operation';
import { codeOf, type ErrorCase, errorExamples } from './error-examples';
import { ErrorResponse } from './error-response';
import { answerHeaders, brokenVersionsHeader, headersOfStatus, replayedHeader, tagHeader } from './headers';

const failedWrite: Record<string, ErrorCase> = { post: 'CREATE_FAILED', put: 'UPDATE_FAILED', delete: 'DELETE_FAILED' };

/** The resources whose ids are in paths, and the last digits of their examples. */
const resourceOfId: Record<string, [resource: string, lastDigits: string]> = {
  projectId: ['project', '01'],
  linkId: ['dynamic link', '02'],
  shortLinkId: ['short link', '03'],
  apiKeyId: ['API key', '04'],
  tagId: ['tag', '06'],
  templateId: ['link template', '0d'],
  shareId: ['share', 'e1'],
  importId: ['import', '08'],
  webhookId: ['webhook', '0a'],
  deliveryId: ['delivery', '0b'],
  memberId: ['member', '09'],
  userId: ['user', 'aa'],
  approvalId: ['approval', 'a9'],
  domainId: ['custom domain', 'd1'],
  releaseId: ['release', '0c'],
};

/**
 * Adds to each operation what follows from its method, path, parameters and body: errors, headers, ids in the path, and security. Each
 * error has an example in the response with its status.
 */
export function describeKinds(document: OpenAPIObject): void {
  for (const { operation, method, path } of operationsOf(document)) {
    const policy = requirePolicy(operation.operationId!);
    describePolicy(operation, policy);
    describePath(operation, path);
    const isRepeatable = hasParameter(operation, 'Idempotency-Key');
    for (const [status, response] of Object.entries(operation.responses))
      response.headers = {
        ...headersOfStatus[status],
        ...response.headers,
        ...(isRepeatable && { 'Idempotent-Replayed': replayedHeader }),
        ...(hasParameter(operation, 'acknowledge') && { 'Broken-App-Versions': brokenVersionsHeader }),
        ...(method === 'put' && tagHeader),
      };
    for (const error of errorsOf(operation, policy, method, path)) addError(operation, error);
    for (const response of Object.values(operation.responses))
      response.headers = { ...answerHeaders, ...response.headers };
    delete operation['x-errors'];
    delete operation['x-is-read'];
  }
}

const isScoped = (policy: Policy): boolean => policy[0].includes(':');

/** Describes the credentials of an operation, with the scope of keys and the role of people. */
function describePolicy(operation: DescribedOperation, policy: Policy): void {
  const keys = policy[0] === 'signed-in only' ? [] : [{ api_key: [] }];
  operation.security = policy === 'public' ? [] : [...keys, { dashboard_token: [] }];
  if (typeof policy === 'string') return;
  if (isScoped(policy)) operation['x-required-scope'] = policy[0];
  operation['x-required-role'] = policy[1];
}

const hasParameter = (operation: DescribedOperation, name: string): boolean =>
  operation.parameters?.some((parameter) => parameter.name === name) ?? false;

const always: ErrorCase[] = ['RATE_LIMITED', 'CONCURRENCY', 'DATABASE_ERROR', 'UNKNOWN_ERROR'];

function errorsOf(operation: DescribedOperation, policy: Policy, method: string, path: string): ReadonlySet<ErrorCase> {
  const { requestBody, 'x-errors': particular = [] } = operation;
  const when = (condition: boolean, ...errors: (ErrorCase | undefined)[]) =>
    condition ? errors.filter((error) => error !== undefined) : [];
  return new Set<ErrorCase>([
    'INVALID_INPUT',
    ...when(requestBody?.content['application/json']?.schema?.$ref !== undefined, 'FORBIDDEN_FIELD'),
    ...when(requestBody !== undefined, 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
    ...when(policy !== 'public', 'UNAUTHORIZED'),
    ...when(policy[0] === 'signed-in only', 'AUTH_REQUIRED', 'ROLE_REQUIRED'),
    ...when(isScoped(policy), 'SCOPE_REQUIRED', 'ROLE_REQUIRED'),
    ...when(path.includes('{projectId}'), 'ACCESS_DENIED'),
    ...when(path.includes('{'), 'NOT_FOUND'),
    ...when(hasParameter(operation, 'acknowledge'), 'BREAKS_RELEASED_APP'),
    ...when(hasParameter(operation, 'If-Match'), 'PRECONDITION_FAILED'),
    ...particular,
    ...when(hasParameter(operation, 'sortOrder'), 'TOO_EXPENSIVE'),
    ...when(hasParameter(operation, 'Idempotency-Key'), 'IDEMPOTENCY_CONFLICT'),
    ...when(!operation['x-is-read'], failedWrite[method]),
    ...always,
  ]);
}

function addError({ responses }: DescribedOperation, error: ErrorCase): void {
  const status = statusOf[codeOf(error)];
  const { summary } = errorExamples[error];
  const response = (responses[status] ??= {
    headers: headersOfStatus[status] ?? {},
    content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorResponse) }, examples: {} } },
  });
  response.description = response.description === undefined ? summary : `${response.description} · ${summary}`;
  response.content!['application/json']!.examples![error] = errorExamples[error];
}

function describePath(operation: DescribedOperation, path: string): void {
  for (const [, name] of path.matchAll(/{(\w+)}/g)) {
    const [resource, lastDigits] = resourceOfId[name!] ?? [];
    if (resource === undefined) continue;
    const example = `0198c0de-7e57-7000-8000-0000000000${lastDigits}`;
    const schema = { type: 'string', format: 'uuid', example };
    const others = operation.parameters?.filter((parameter) => parameter.name !== name) ?? [];
    operation.parameters = [
      { name: name!, required: true, in: 'path', description: `Id of the ${resource}.`, schema },
      ...others,
    ];
  }
}
