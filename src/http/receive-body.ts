import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import type { Observable } from 'rxjs';
import { InvalidInput } from '../shared/problem';
import { PayloadTooLarge, UnsupportedMediaType } from './http.errors';
import { fieldsOf } from './field';
import { unknownParameters } from './read-input';
import { requestOf } from './request';
import { anyQuery } from './route-markers';

/** Bytes (DECISIONS, "Errors": 100 kB). */
const bodyLimit = 100_000;

const readBytes = express.raw({ type: () => true, limit: bodyLimit });

/**
 * Reads the body, after the guards: who may not call learns nothing of what was wrong with the body, and nobody's 100 kB are
 * parsed for nothing. An interceptor is the one place in Nest between guards and pipes.
 */
@Injectable()
export class ReceiveBody implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = requestOf(context);
    const inputs = (Reflect.getMetadata(
      'design:paramtypes',
      context.getClass().prototype as object,
      context.getHandler().name,
    ) ?? []) as unknown[];
    const takes = inputs.map(fieldsOf).filter((fields) => fields.size > 0);
    const takesBody = request.method === 'POST' || request.method === 'PUT';
    if (takesBody && takes.length > 0)
      request.body = await jsonBody(request, context.switchToHttp().getResponse<Response>());
    if (Reflect.getMetadata(anyQuery, context.getClass())) return next.handle();
    if (request.undecodable) throw new InvalidInput('The query is not valid percent-encoded UTF-8');
    // A query of an operation that takes one is read by its class; the others take none.
    const unknown = Object.keys(request.query);
    if ((takesBody || takes.length === 0) && unknown.length > 0) throw unknownParameters(unknown);
    return next.handle();
  }
}

async function jsonBody(request: Request, response: Response): Promise<unknown> {
  const empty = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0);
  if (empty) throw new InvalidInput('The body must be a JSON object');
  if (!isJson(request.headers['content-type'])) throw new UnsupportedMediaType();
  // body-parser would read it to its end before it refuses.
  if (Number(request.headers['content-length']) > bodyLimit) throw new PayloadTooLarge();
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => (error ? reject(refusalOf(error as Error)) : resolve()));
  });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(request.body as Buffer));
  } catch {
    throw new InvalidInput('The body is not valid JSON in UTF-8');
  }
}

/** RFC 8259 section 8.1: JSON between systems is UTF-8; a charset that says otherwise is refused. */
function isJson(contentType: string | undefined): boolean {
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((part) => !part.startsWith('charset=') || /^charset="?utf-?8"?$/.test(part))
  );
}

/** body-parser's errors carry the status that they stand for. */
function refusalOf(error: Error): Error {
  const { status } = error as Error & { status?: number };
  if (status === 413) return new PayloadTooLarge();
  if (status === 415) return new UnsupportedMediaType();
  if (status === 400) return new InvalidInput('The body could not be read');
  return error;
}
