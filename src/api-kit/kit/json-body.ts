import express, { type Request, type Response } from 'express';
import { type JsonFault, jsonFaultOf } from '../../platform/http/json-limits';
import { maxBodyBytes } from '../../platform/http/unwanted-body';
import { InvalidInput } from '../../shared/problem';
import { PayloadTooLarge, UnsupportedContentEncoding, UnsupportedMediaType } from './http.errors';

/** Commas, and three for each array and object. A thousand links with all fields, ten tags and ten parameters have half of it. */
export const maxBodyValues = 100_000;

const bodyFaults: Record<JsonFault, string> = {
  too_deep: 'The body nests arrays and objects too deep',
  too_many_values: 'The body has too many values; send several requests',
};

const utf8 = new TextDecoder('utf-8', { fatal: true });
const anyType = () => true;
const readBytes = express.raw({ type: anyType, limit: maxBodyBytes });

/**
 * Reads the body as JSON.
 * @throws InvalidInput, UnsupportedMediaType, PayloadTooLarge
 */
export async function jsonBody(request: Request, response: Response, maxBytes = maxBodyBytes): Promise<unknown> {
  const empty = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0);
  if (empty) throw InvalidInput.asAWhole('required', 'The body must be a JSON object');
  if (!isJson(request.headers['content-type'])) throw new UnsupportedMediaType();
  // body-parser reads the whole body before it refuses it, also with `Transfer-Encoding: chunked`.
  if (Number(request.headers['content-length']) > maxBytes) throw new PayloadTooLarge(maxBytes);
  // It has emitted its last event, if its client went away while the guards before looked something up.
  if (request.destroyed) throw unreadable();
  const bytes = isPlain(request) ? await readPlain(request) : await readEncoded(request, response, maxBytes);
  const fault = jsonFaultOf(bytes, maxBodyValues);
  if (fault !== null) throw InvalidInput.asAWhole('too_big', bodyFaults[fault]);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw InvalidInput.asAWhole('invalid_json', 'The body is not valid JSON in UTF-8');
  }
}

/** Returns whether the body may have more bytes than this, as far as its headers tell. */
export const mayExceed = (request: Request, bytes: number): boolean =>
  !isPlain(request) || Number(request.headers['content-length']) > bytes;

/** Returns whether the bytes of the body are those of the JSON, with a length that was checked. */
const isPlain = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] === undefined && headers['content-encoding'] === undefined;

/** Reads what body-parser would read, without its checks of other cases. Measured: 20 µs less for a small body. */
function readPlain(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', () => reject(unreadable()));
    // A connection also closes after its body, where an error would be created for nothing.
    request.on('close', () => {
      if (!request.complete) reject(unreadable());
    });
  });
}

async function readEncoded(request: Request, response: Response, maxBytes: number): Promise<Buffer> {
  const read = maxBytes === maxBodyBytes ? readBytes : express.raw({ type: anyType, limit: maxBytes });
  await new Promise<void>((resolve, reject) => {
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxBytes) reject(new PayloadTooLarge(maxBytes));
    });
    read(request, response, (error?: unknown) =>
      error ? reject(refusalOf(error as Error, request, maxBytes)) : resolve(),
    );
  });
  return request.body as Buffer;
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
function refusalOf(error: Error, request: Request, maxBytes: number): Error {
  const { status } = error as Error & { status?: number };
  if (status === 413) return new PayloadTooLarge(maxBytes);
  if (status === 415) return new UnsupportedContentEncoding(request.headers['content-encoding'] ?? '');
  return status === 400 ? unreadable() : error;
}

const unreadable = (): InvalidInput =>
  InvalidInput.asAWhole('invalid_format', 'The body could not be read; send it as its headers say');
