import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { UnsupportedMediaType } from '../../api-kit/kit/http.errors';
import { requestOf } from '../../api-kit/kit/request';
import { InvalidInput } from '../../shared/problem';
import { allowLongUpload } from '../../platform/http/request-timeout';
import { maxUploadBytes } from './import-upload.service';
import type { ImportFormat } from '../model/import';
import { ImportFileTooLarge } from '../model/import.errors';

export const mediaTypes: Readonly<Record<string, ImportFormat>> = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
};

export interface ImportFile {
  format: ImportFormat;
  chunks: AsyncIterable<Buffer>;
}

/** Injects the file of the body, and refuses other bodies. It stands before the query, whose fields are checked after the body. */
export const BodyFile = createParamDecorator((_: unknown, context: ExecutionContext) => fileOf(requestOf(context)));

function fileOf(request: Request): ImportFile {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  if (headers['transfer-encoding'] === undefined && length === 0)
    throw InvalidInput.asAWhole('required', 'The body must be a file');
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const format = Object.hasOwn(mediaTypes, type) ? mediaTypes[type] : undefined;
  const isUtf8 = parameters.every((part) => !part.startsWith('charset=') || /^charset="?utf-?8"?$/.test(part));
  if (!format || !isUtf8)
    throw new UnsupportedMediaType(
      `The body must be ${Object.keys(mediaTypes).join(', ')} without a charset or in UTF-8; name another encoding in the option encoding`,
    );
  const encoding = headers['content-encoding'];
  // A compressed file could have any size.
  if (encoding !== undefined && encoding !== 'identity')
    throw new UnsupportedMediaType(
      `The Content-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not supported here; send the file as it is`,
    );
  if (length > maxUploadBytes) throw new ImportFileTooLarge();
  return { format, chunks: chunksOf(request) };
}

async function* chunksOf(request: Request): AsyncGenerator<Buffer> {
  allowLongUpload(request);
  try {
    // The connection of a refused file stays open for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch {
    throw InvalidInput.asAWhole('invalid_format', 'The body could not be read; send it as its headers say');
  }
}
