import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { RuleSchema } from '../../shared/rule';
import { statusOf } from '../kit/error-status';
import { codeOf, type ErrorCase, errorExamples } from './error-examples';
import { ErrorResponse } from './error-response';
import {
  answerHeaders,
  fileNameHeader,
  headersOfStatus,
  locationHeader,
  replayedHeader,
  unbufferedHeader,
} from './headers';

/** An example of each media type of a file. */
type FileExamples = Record<string, string>;

interface OperationOptions {
  /** `operationId` where the method's name does not describe the operation. */
  id?: string;
  summary: string;
  description?: string;
  success:
    | {
        status: 200 | 201 | 202;
        type: Type;
        tagged?: boolean;
        /** The operation also creates, with 201. */
        orCreates?: true;
        /** A 202 that names a new resource. */
        located?: true;
        /** Files that the operation returns on request. */
        orFiles?: FileExamples;
        /** The operation takes `Idempotency-Key`, although it answers 200. */
        repeatable?: true;
      }
    | { images: string[] }
    | {
        files: FileExamples;
        description: string;
        /** A stream of events, which browsers do not save. */ isUnnamed?: true;
      };
  /** Errors of this operation; those that every operation can return are added. */
  errors: ErrorCase[];
}

const descriptionOf = { 200: 'The request succeeded.', 201: 'The resource was created.', 202: 'The work has begun.' };

const always: ErrorCase[] = ['UNAUTHORIZED', 'RATE_LIMITED', 'CONCURRENCY', 'DATABASE_ERROR', 'UNKNOWN_ERROR'];
const withBody: ErrorCase[] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** Documents an operation: its responses and headers, and its errors by status with an example per code. */
export function Operation({ id, summary, description, success, errors }: OperationOptions): MethodDecorator {
  const takesBody = errors.includes('FORBIDDEN_FIELD');
  const creates = 'status' in success && success.status === 201;
  const tagged = 'status' in success && success.tagged;
  const hasTag = tagged === true || errors.includes('UPDATE_FAILED');
  const cases = [
    ...errors,
    ...(takesBody ? withBody : []),
    ...(creates ? (['IDEMPOTENCY_CONFLICT'] as const) : []),
    ...always,
  ];
  const byStatus = new Map<number, ErrorCase[]>();
  for (const error of cases) {
    const status = statusOf[codeOf(error)];
    byStatus.set(status, [...(byStatus.get(status) ?? []), error]);
  }
  return applyDecorators(
    ...(errors.includes('AUTH_REQUIRED') ? [] : [ApiBearerAuth('api_key')]),
    ApiBearerAuth('dashboard_token'),
    ApiExtraModels(ErrorResponse),
    ApiOperation({ summary, description, ...(id && { operationId: id }) }),
    ...('images' in success
      ? imageResponses(success.images)
      : 'files' in success
        ? [fileResponse(success.files, success.description, !success.isUnnamed)]
        : [
            ...(success.orFiles ? [ApiExtraModels(success.type)] : []),
            ApiResponse({
              status: success.status,
              description: descriptionOf[success.status],
              ...(success.orFiles
                ? { content: { ...jsonOf(success.type), ...textOf(success.orFiles) } }
                : { type: success.type }),
              headers: {
                ...answerHeaders,
                ...headersOfStatus(success.status),
                ...(hasTag && tagHeader),
                ...(success.orFiles && {
                  'Content-Disposition': {
                    ...fileNameHeader,
                    description: `Present if a file is requested: ${fileNameHeader.description}`,
                    required: false as const,
                  },
                }),
                ...(success.located && { Location: locationHeader }),
                ...(success.repeatable && { 'Idempotent-Replayed': replayedHeader }),
              },
            }),
            ...(success.orCreates
              ? [
                  ApiResponse({
                    status: 201,
                    description: 'The resource was created.',
                    type: success.type,
                    headers: { ...answerHeaders, Location: locationHeader, ...tagHeader },
                  }),
                ]
              : []),
          ]),
    ...(tagged ? [ApiHeader(ifNoneMatch), ApiResponse(notModified)] : []),
    ...(errors.includes('PRECONDITION_FAILED') ? [ApiHeader(ifMatch)] : []),
    ...[...byStatus].map(([status, inStatus]) =>
      ApiResponse({
        status,
        description: inStatus.map((error) => errorExamples[error].summary).join(' · '),
        headers: { ...answerHeaders, ...headersOfStatus(status) },
        content: {
          'application/json': {
            schema: { $ref: getSchemaPath(ErrorResponse) },
            examples: Object.fromEntries(inStatus.map((error) => [error, errorExamples[error]])),
          },
        },
      }),
    ),
  );
}

const exampleTag = '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"';

const tagHeader = {
  ETag: {
    description: 'Tag of the current state of the resource, for `If-None-Match` and `If-Match`.',
    schema: { type: 'string' as const },
    example: exampleTag,
  },
};

const ifNoneMatch = {
  name: 'If-None-Match',
  required: false,
  description: '`ETag` of a stored response. The response is 304 if the resource has not changed.',
  schema: { type: 'string', example: exampleTag },
};

const notModified = {
  status: 304,
  description: 'The resource has not changed.',
  headers: { ...answerHeaders, ...tagHeader },
};

const ifMatch = {
  name: 'If-Match',
  required: false,
  description:
    '`ETag` of the resource when it was read. The response is 412 if the resource has changed since then. Without this ' +
    'header, the change is made in any case.',
  schema: { type: 'string', example: exampleTag },
};

const cachingHeaders = {
  ETag: {
    description: 'Tag of the image, for `If-None-Match`.',
    schema: { type: 'string' as const },
    example: exampleTag,
  },
  'Cache-Control': {
    description: 'Always `private, no-cache`.',
    schema: { type: 'string' as const },
    example: 'private, no-cache',
  },
};

const imageResponses = (types: string[]): MethodDecorator[] => [
  ApiResponse({
    status: 200,
    description: 'The image of the QR code.',
    headers: { ...answerHeaders, ...cachingHeaders },
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  }),
  ApiResponse({
    status: 304,
    description: 'The image has not changed.',
    headers: { ...answerHeaders, ...cachingHeaders },
  }),
];

const jsonOf = (type: Type) => ({ 'application/json': { schema: { $ref: getSchemaPath(type) } } });

const textOf = (files: FileExamples) =>
  Object.fromEntries(
    Object.entries(files).map(([mediaType, example]) => [mediaType, { schema: { type: 'string' }, example }]),
  );

const fileResponse = (files: FileExamples, description: string, isNamed: boolean): MethodDecorator =>
  ApiResponse({
    status: 200,
    description,
    headers: {
      ...answerHeaders,
      ...(isNamed ? { 'Content-Disposition': fileNameHeader } : { 'X-Accel-Buffering': unbufferedHeader }),
      'Cache-Control': {
        description: 'Always `private, no-store`.',
        schema: { type: 'string' },
        example: 'private, no-store',
      },
    },
    content: textOf(files),
  });

/** Documents the QR code of a dynamic or short link. */
export const QrCodeOperation = (id: string, summary: string): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: '`ETag` of a stored image. The response is 304 if the image has not changed.',
      schema: { type: 'string', example: exampleTag },
    }),
    Operation({
      id,
      summary,
      description: 'Returns the image of a QR code that opens the link. The service never fetches a remote logo.',
      success: { images: ['image/png', 'image/svg+xml'] },
      errors: ['INVALID_INPUT', 'ACCESS_DENIED', 'NOT_FOUND'],
    }),
  );

const idInPath = (name: string, what: string, lastDigits: string): MethodDecorator & ClassDecorator =>
  ApiParam({
    name,
    description: `Id of the ${what}.`,
    schema: { type: 'string', format: 'uuid', example: `0198c0de-7e57-7000-8000-0000000000${lastDigits}` },
  });

/** Documents the subdomain in the path. */
export const SubdomainInPath = (schema: RuleSchema): MethodDecorator & ClassDecorator =>
  ApiParam({ name: 'subdomain', description: 'The former subdomain.', schema: { ...schema, example: 'summer-2024' } });

/** Documents the external id in the path. */
export const ExternalIdInPath = (schema: RuleSchema): MethodDecorator & ClassDecorator =>
  ApiParam({
    name: 'externalId',
    description: 'Id of the dynamic link in your system, percent-encoded.',
    schema: { ...schema, example: 'crm-4711' },
  });

export const TagInPath = () => idInPath('tagId', 'tag', '06');
export const ImportInPath = () => idInPath('importId', 'import', '08');
export const ProjectInPath = () => idInPath('projectId', 'project', '01');
export const AppInPath = (what: 'iOS app' | 'Android app') => idInPath('appId', what, what === 'iOS app' ? 'b1' : 'b2');
export const ApiKeyInPath = () => idInPath('apiKeyId', 'API key', '04');
export const ShortLinkInPath = () => idInPath('shortLinkId', 'short link', '03');
export const DomainInPath = () => idInPath('domainId', 'custom domain', 'd1');
export const LinkInPath = () => idInPath('linkId', 'dynamic link', '02');
