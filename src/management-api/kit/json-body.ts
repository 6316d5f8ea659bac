import express, { type Request, type Response } from 'express';
import { nestsTooDeep } from '../../platform/http/nesting';
import { maxBodyBytes } from '../../platform/http/unwanted-body';
import { InvalidInput } from '../../shared/problem';
import { PayloadTooLarge, UnsupportedContentEncoding, UnsupportedMediaType } from './http.errors';

const readBytes = express.raw({ type: () => true, limit: maxBodyBytes });

/**
 * Reads the body as JSON.
 * @throws InvalidInput, UnsupportedMediaType, PayloadTooLarge
 */
export async function jsonBody(request: Request, response: Response): Promise<unknown> {
  const empty = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0);
  if (empty) throw InvalidInput.asAWhole('required', 'The body must be a JSON object');
  if (!isJson(request.headers['content-type'])) throw new UnsupportedMediaType();
  // body-parser reads the whole body before it refuses it, also with `Transfer-Encoding: chunked`.
  if (Number(request.headers['content-length']) > maxBodyBytes) throw new PayloadTooLarge();
  await new Promise<void>((resolve, reject) => {
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBodyBytes) reject(new PayloadTooLarge());
    });
    readBytes(request, response, (error?: unknown) => (error ? reject(refusalOf(error as Error, request)) : resolve()));
  });
  const bytes = request.body as Buffer;
  if (nestsTooDeep(bytes)) throw InvalidInput.asAWhole('too_big', 'The body nests arrays and objects too deep');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw InvalidInput.asAWhole('invalid_json', 'The body is not valid JSON in UTF-8');
  }
}

/** Refuses every charset except UTF-8 (RFC 8259, section 8.1). */
function isJson(contentType: string | undefined): boolean {
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((part) => !part.startsWith('charset=') || /^charset="?utf-?8"?$/.test(part))
  );
}

/** Maps an error of body-parser by its HTTP status. */
function refusalOf(error: Error, request: Request): Error {
  const { status } = error as Error & { status?: number };
  if (status === 413) return new PayloadTooLarge();
  if (status === 415) return new UnsupportedContentEncoding(request.headers['content-encoding'] ?? '');
  if (status === 400)
    return InvalidInput.asAWhole('invalid_format', 'The body could not be read; send it as its headers say');
  return error;
}
