import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import express, { type Request, type Response } from 'express';
import { InvalidInput } from '../../shared/problem';
import { PayloadTooLarge, UnsupportedMediaType } from '../kit/http.errors';
import { fieldsOf } from '../kit/field';
import { nestsTooDeep } from '../../platform/http/nesting';
import { unknownParameters } from '../kit/read-input';
import { requestOf } from '../kit/request';
import { anyQuery } from '../kit/route-markers';
import { bodyLimit } from '../../platform/http/unwanted-body';

const readBytes = express.raw({ type: () => true, limit: bodyLimit });

/** What an operation takes, as its handler's decorators say. */
interface Intake {
  body: boolean;
  query: boolean;
  anyQuery: boolean;
}

/**
 * Reads the body, as the last of the guards: who may not call learns nothing of what was wrong with the body, and nobody's
 * 100 kB are parsed for nothing. An interceptor could do it as well, but any interceptor sends each answer through RxJS
 * (measured: 7 % of a request).
 */
@Injectable()
export class ReceiveBody implements CanActivate {
  readonly #intakes = new WeakMap<object, Intake>();

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf(context);
    const intake = this.#intakeOf(context);
    if (intake.body) request.body = await jsonBody(request, context.switchToHttp().getResponse<Response>());
    if (intake.anyQuery) return true;
    if (request.undecodable) throw new InvalidInput('The query is not valid percent-encoded UTF-8');
    // A query of an operation that takes one is read by its class; the others take none.
    if (!intake.query && request.url.includes('?')) {
      const unknown = Object.keys(request.query);
      if (unknown.length > 0) throw unknownParameters(unknown);
    }
    return true;
  }

  #intakeOf(context: ExecutionContext): Intake {
    const handler = context.getHandler();
    let intake = this.#intakes.get(handler);
    if (!intake) {
      const controller = context.getClass();
      const inputs = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
        []) as unknown[];
      const takes = inputs.some((input) => fieldsOf(input).size > 0);
      const { method } = requestOf(context);
      const writes = method === 'POST' || method === 'PUT';
      intake = {
        body: takes && writes,
        query: takes && !writes,
        anyQuery: Reflect.getMetadata(anyQuery, controller) === true,
      };
      this.#intakes.set(handler, intake);
    }
    return intake;
  }
}

/**
 * The JSON value that the body is.
 * @throws InvalidInput, UnsupportedMediaType, PayloadTooLarge
 */
export async function jsonBody(request: Request, response: Response): Promise<unknown> {
  const empty = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0);
  if (empty) throw new InvalidInput('The body must be a JSON object');
  if (!isJson(request.headers['content-type'])) throw new UnsupportedMediaType();
  // body-parser would read it to its end before it refuses, in chunks too.
  if (Number(request.headers['content-length']) > bodyLimit) throw new PayloadTooLarge();
  await new Promise<void>((resolve, reject) => {
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > bodyLimit) reject(new PayloadTooLarge());
    });
    readBytes(request, response, (error?: unknown) => (error ? reject(refusalOf(error as Error)) : resolve()));
  });
  const bytes = request.body as Buffer;
  if (nestsTooDeep(bytes)) throw new InvalidInput('The body nests arrays and objects too deep');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
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
