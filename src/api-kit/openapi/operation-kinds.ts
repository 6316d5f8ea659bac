import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { statusOf } from '../kit/error-status';
import { type DescribedOperation, operationsOf } from './described-operation';
import { codeOf, type ErrorCase, errorExamples } from './error-examples';
import { ErrorResponse } from './error-response';
import { answerHeaders, headersOfStatus, replayedHeader, tagHeader } from './headers';

const failedWrite: Record<string, ErrorCase> = { post: 'CREATE_FAILED', put: 'UPDATE_FAILED', delete: 'DELETE_FAILED' };

const errorOrder = Object.keys(errorExamples) as ErrorCase[];

/**
 * Adds to each operation the errors, headers and security that follow from its method, path, parameters and body. Each error has an
 * example in the response with its status.
 */
export function describeKinds(document: OpenAPIObject): void {
  for (const { operation, method, path } of operationsOf(document)) {
    operation.security ??= [{ api_key: [] }, { dashboard_token: [] }];
    const isRepeatable = hasParameter(operation, 'Idempotency-Key');
    for (const [status, response] of Object.entries(operation.responses))
      response.headers = {
        ...headersOfStatus[status],
        ...response.headers,
        ...(isRepeatable && { 'Idempotent-Replayed': replayedHeader }),
        ...(method === 'put' && tagHeader),
      };
    const cases = errorsOf(operation, method, path);
    for (const error of errorOrder.filter((each) => cases.has(each))) addError(operation, error);
    for (const response of Object.values(operation.responses))
      response.headers = { ...answerHeaders, ...response.headers };
    delete operation['x-errors'];
    delete operation['x-is-read'];
  }
}

const hasParameter = (operation: DescribedOperation, name: string): boolean =>
  operation.parameters?.some((parameter) => parameter.name === name) ?? false;

function errorsOf(operation: DescribedOperation, method: string, path: string): ReadonlySet<ErrorCase> {
  const { requestBody, security = [] } = operation;
  const stated: [error: ErrorCase | undefined, condition: boolean][] = [
    ['AUTH_REQUIRED', !security.some((scheme) => 'api_key' in scheme)],
    ['FORBIDDEN_FIELD', requestBody?.content['application/json']?.schema?.$ref !== undefined],
    ['PAYLOAD_TOO_LARGE', requestBody !== undefined],
    ['UNSUPPORTED_MEDIA_TYPE', requestBody !== undefined],
    ['ACCESS_DENIED', path.includes('{projectId}')],
    ['NOT_FOUND', path.includes('{')],
    ['TOO_EXPENSIVE', hasParameter(operation, 'sortOrder')],
    ['PRECONDITION_FAILED', hasParameter(operation, 'If-Match')],
    ['IDEMPOTENCY_CONFLICT', hasParameter(operation, 'Idempotency-Key')],
    [failedWrite[method], !operation['x-is-read']],
  ];
  return new Set<ErrorCase>([
    ...(['INVALID_INPUT', 'UNAUTHORIZED', 'RATE_LIMITED', 'CONCURRENCY', 'DATABASE_ERROR', 'UNKNOWN_ERROR'] as const),
    ...stated.flatMap(([error, condition]) => (error && condition ? [error] : [])),
    ...(operation['x-errors'] ?? []),
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
