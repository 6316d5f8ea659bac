import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { RuleSchema } from '../../shared/rule';
import { NamesOperation } from '../policy/operation-id';
import type { ErrorCase } from './error-examples';
import { exampleTag, fileNameHeader, header, locationHeader, tagHeader, unbufferedHeader } from './headers';

type FileExamples = Record<string, string>;

interface JsonSuccess {
  /** Default: 200. */
  status?: 200 | 201 | 202;
  type: Type;
  tagged?: boolean;
  /** The operation also creates, with 201. */
  orCreates?: true;
  /** A 202 that names a new resource. */
  located?: true;
  /** Files that the operation returns on request. */
  orFiles?: FileExamples;
}

interface OperationOptions {
  /** `operationId` where the method's name does not describe the operation. */
  id?: string;
  summary: string;
  description?: string;
  success:
    | Type
    | JsonSuccess
    | { images: string[] }
    | {
        files: FileExamples;
        description: string;
        /** A stream of events, which browsers do not save. */ isUnnamed?: true;
      };
  /** Errors that do not follow from the kind of the operation (`describeKinds`). */
  errors?: readonly ErrorCase[];
  /** A POST that stores nothing. */
  isRead?: true;
}

const descriptionOf = { 200: 'The request succeeded.', 201: 'The resource was created.', 202: 'The work has begun.' };

/** Sets the status of an operation, and documents its responses. `describeKinds` adds what follows from its kind. */
export function Operation(options: OperationOptions): MethodDecorator {
  const { id, summary, description, success, errors = [], isRead = false } = options;
  return applyDecorators(
    ApiOperation({ summary, description, ...(id && { operationId: id }) }),
    ...(id ? [NamesOperation(id)] : []),
    ApiExtension('x-errors', errors),
    ApiExtension('x-is-read', isRead),
    ...('images' in success
      ? imageResponses(success.images)
      : 'files' in success
        ? [fileResponse(success.files, success.description, !success.isUnnamed)]
        : jsonResponses('type' in success ? success : { type: success })),
  );
}

function jsonResponses({ status = 200, type, tagged, orCreates, located, orFiles }: JsonSuccess): MethodDecorator[] {
  const headers = {
    ...(tagged && tagHeader),
    ...(orFiles && {
      'Content-Disposition': {
        ...fileNameHeader,
        description: `Present if a file is requested: ${fileNameHeader.description}`,
        required: false as const,
      },
    }),
    ...(located && { Location: locationHeader }),
  };
  const body = orFiles ? { content: { ...jsonOf(type), ...textOf(orFiles) } } : { type };
  return [
    HttpCode(status),
    ApiExtraModels(type),
    ApiResponse({ status, description: descriptionOf[status], ...body, headers }),
    ...(orCreates ? [ApiResponse({ status: 201, description: descriptionOf[201], type })] : []),
    ...(tagged
      ? [
          ApiHeader(ifNoneMatch('response', 'resource')),
          ApiResponse({ status: 304, description: 'The resource has not changed.', headers: tagHeader }),
        ]
      : []),
  ];
}

const ifNoneMatch = (stored: string, tagged = stored) => ({
  name: 'If-None-Match',
  required: false,
  description: `\`ETag\` of a stored ${stored}. The response is 304 if the ${tagged} has not changed.`,
  schema: { type: 'string', example: exampleTag },
});

const cachingHeaders = {
  ETag: { ...tagHeader.ETag, description: 'Tag of the image, for `If-None-Match`.' },
  'Cache-Control': header('Always `private, no-cache`.', 'private, no-cache'),
};

const imageResponses = (types: string[]): MethodDecorator[] => [
  ApiResponse({
    status: 200,
    description: 'The image of the QR code.',
    headers: cachingHeaders,
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  }),
  ApiResponse({
    status: 304,
    description: 'The image has not changed.',
    headers: cachingHeaders,
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
      ...(isNamed ? { 'Content-Disposition': fileNameHeader } : { 'X-Accel-Buffering': unbufferedHeader }),
      'Cache-Control': header('Always `private, no-store`.', 'private, no-store'),
    },
    content: textOf(files),
  });

export const QrCodeOperation = (id: string, summary: string): MethodDecorator =>
  applyDecorators(
    ApiHeader(ifNoneMatch('image')),
    Operation({
      id,
      summary,
      description: 'Returns the image of a QR code that opens the link. Its logo is an uploaded picture, because the service never fetches a remote one.',
      success: { images: ['image/png', 'image/svg+xml', 'application/pdf'] },
    }),
  );

export const SubdomainInPath = (schema: RuleSchema): MethodDecorator & ClassDecorator =>
  ApiParam({ name: 'subdomain', description: 'The former subdomain.', schema: { ...schema, example: 'summer-2024' } });

export const ExternalIdInPath = (schema: RuleSchema): MethodDecorator & ClassDecorator =>
  ApiParam({
    name: 'externalId',
    description: 'Id of the dynamic link in your system, percent-encoded.',
    schema: { ...schema, example: 'crm-4711' },
  });

export const EntryInPath = (schema: RuleSchema): MethodDecorator =>
  ApiParam({ name: 'sequence', description: '`sequence` of the entry.', schema: { ...schema, example: 4712 } });

/** Documents the id of an app in the path. `describeKinds` documents the other ids. */
export const AppInPath = (what: 'iOS app' | 'Android app'): MethodDecorator =>
  ApiParam({
    name: 'appId',
    description: `Id of the ${what}.`,
    schema: {
      type: 'string',
      format: 'uuid',
      example: `0198c0de-7e57-7000-8000-0000000000${what === 'iOS app' ? 'b1' : 'b2'}`,
    },
  });
