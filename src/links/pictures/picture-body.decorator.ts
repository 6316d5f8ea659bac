import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { UnsupportedMediaType } from '../../api-kit/kit/http.errors';
import { requestOf } from '../../api-kit/kit/request';
import { allowLongUpload } from '../../platform/http/request-timeout';
import { InvalidInput } from '../../shared/problem';
import { maxPictureBytes, PictureTooLarge } from './picture';
import { pictureTypes } from './picture-header';

/** Injects a reader of the body, and refuses other bodies by their headers. */
export const BodyPicture = createParamDecorator((_: unknown, context: ExecutionContext) =>
  readerOf(requestOf(context)),
);

function readerOf(request: Request): () => Promise<Buffer> {
  const { headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  if (headers['transfer-encoding'] === undefined && length === 0)
    throw InvalidInput.asAWhole('required', 'The body must be a picture');
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (!(pictureTypes as readonly string[]).includes(type) || headers['content-encoding'] !== undefined)
    throw new UnsupportedMediaType(`The body must be ${pictureTypes.join(', ')} without a Content-Encoding`);
  if (length > maxPictureBytes) throw new PictureTooLarge();
  return () => bytesOf(request);
}

async function bytesOf(request: Request): Promise<Buffer> {
  allowLongUpload(request);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection of a refused picture stays open for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxPictureBytes) throw new PictureTooLarge();
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof PictureTooLarge) throw error;
    throw InvalidInput.asAWhole('invalid_format', 'The body could not be read; send it as its headers say');
  }
  return Buffer.concat(chunks);
}
