import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { errorAnswer } from '../../api-kit/kit/error-answer';
import type { ClientAddresses } from '../../platform/http/client-address';
import { describeForLog } from '../../platform/http/log-redaction';
import { countRequest } from '../../platform/rate-limit/rate-limit';
import type { Clock } from '../../shared/clock';
import { ForbiddenField, inField, InvalidInput, isRequired, type Problem } from '../../shared/problem';
import type { Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import type { Exchange } from '../exchange';
import type { CachedProject } from '../resolving/cached-models';
import { isObject } from '../../shared/is-object';

/** Finds the project of the requested host; null if no project answers there. */
export type FindProject = () => CachedProject | null | Promise<CachedProject | null>;

/** An operation that apps call by `POST` on link hosts, without an API key. */
export interface AppOperation {
  readonly name: 'claim' | 'first-launch' | 'open' | 'step';
  /**
   * Returns `data` of the response.
   * @param body as sent
   */
  answer(body: unknown, findProject: FindProject, request: IncomingMessage): Promise<object>;
}

/** An id that the app draws, so that a request without an answer can be repeated. */
export const drawnId = text({
  min: 22,
  max: 64,
  pattern: /^[A-Za-z0-9_-]*$/,
  patternSays: 'have only letters, digits, "_" and "-"',
});

const retryAfterSeconds = 5;

/** Apps in a web view have origins such as `capacitor://localhost`. The requests have no cookies, so any page may send them. */
const anyOrigin = '*';

/** Answers the question of a browser before a request from another origin (Fetch Standard, "CORS-preflight request"). */
export function sendPreflight({ response, requestId }: Exchange): void {
  response
    .writeHead(204, {
      'X-Request-Id': requestId,
      'Access-Control-Allow-Origin': anyOrigin,
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': '86400',
    })
    .end();
}

/** Answers the requests of apps: counts them by address, reads their body, and sends errors in the API's form. */
export class AppRequests {
  /** Loaded by the first request, because it loads Express, which visits do not need. */
  #bodyReader: Promise<typeof import('../../api-kit/kit/json-body.js')> | undefined;

  constructor(
    private readonly operations: ReadonlyMap<string, AppOperation>,
    private readonly addresses: ClientAddresses,
    private readonly counts: ThrottlerStorage,
    private readonly limitPerMinute: number,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** @param path without the leading slash */
  operationAt(path: string): AppOperation | undefined {
    return this.operations.get(path);
  }

  async answer(operation: AppOperation, findProject: FindProject, exchange: Exchange): Promise<void> {
    const { request, response, requestId, report } = exchange;
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Access-Control-Allow-Origin', anyOrigin);
    response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    try {
      const tracker = `${operation.name}:${this.addresses.networkOf(request)}`;
      await countRequest(this.counts, tracker, this.limitPerMinute, () => this.clock.now(), response);
      const { jsonBody } = await (this.#bodyReader ??= import('../../api-kit/kit/json-body.js'));
      const body = await jsonBody(request as Request, response as Response);
      sendJson(response, 200, { data: await operation.answer(body, findProject, request) });
    } catch (error) {
      const { status, headers, body, logged } = errorAnswer(error, 'GET');
      if (logged) {
        const ids = { request_id: requestId, trace_id: report?.traceId };
        this.log.error({ ...ids, error: describeForLog(error) }, 'app request failed');
      }
      if (status === 503) response.setHeader('Retry-After', retryAfterSeconds);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      sendJson(response, status, body);
    }
  }
}

type Read<Rules> = { [Name in keyof Rules]: Rules[Name] extends Rule<infer Value> ? Value : never };

/**
 * Reads the fields of a body. Nest's pipe would do the same, but link traffic does not load Nest.
 * @param optional fields that may be absent
 * @param within the names of the objects that contain the fields
 * @throws ForbiddenField, InvalidInput
 */
export function readFields<Rules extends Record<string, Rule<unknown>>, Optional extends keyof Rules = never>(
  body: unknown,
  rules: Rules,
  optional: readonly Optional[] = [],
  within: string[] = [],
): Omit<Read<Rules>, Optional> & Partial<Pick<Read<Rules>, Optional>> {
  if (!isObject(body)) throw InvalidInput.asAWhole('invalid_type', 'The body must be a JSON object');
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(rules, name));
  if (unknown.length > 0) throw new ForbiddenField(unknown.map((name) => [...within, name].join('.')));
  const at = (name: string, faults: Problem[]): Problem[] => {
    const [first, ...rest] = [...within, name];
    return inField(
      first,
      faults.map((fault) => ({ ...fault, path: [...rest, ...fault.path] })),
    );
  };
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const input = body[name];
    if (input === undefined) {
      if (!optional.includes(name as unknown as Optional)) problems.push(...at(name, [isRequired]));
      continue;
    }
    const reading = rule.safeParse(input);
    if ('problems' in reading) problems.push(...at(name, reading.problems));
    else values[name] = reading.value;
  }
  if (problems.length > 0) throw InvalidInput.because(problems);
  return values as Read<Rules>;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const json = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(json),
  });
  response.end(json);
}
