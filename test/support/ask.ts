import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { maxWaitMs } from './eventually';
import { steadyNow } from './steady-now';

export interface RequestOptions {
  path: string;
  method?: string;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
  agent?: Agent;
  /** Two minutes by default. */
  timeoutMs?: number;
  /** Measures `tookSteady`. */
  now?: () => number;
}

export interface Answer {
  /** 0 if the connection was refused or broke. */
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: { data: Record<string, unknown>; error?: { code: string; message: string } };
  /** The time until the last byte in milliseconds. */
  took: number;
  /** The same without stalls of the machine, for upper limits. */
  tookSteady: number;
}

/** Sends a request. Never rejects, and returns the status 0 if no response arrives in time. */
export function ask(
  port: number,
  { path, method = 'GET', key, body, headers = {}, agent, timeoutMs = maxWaitMs, now = steadyNow }: RequestOptions,
): Promise<Answer> {
  const [startedAt, startedSteady] = [performance.now(), now()];
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve) => {
    const done = (status: number, headers: IncomingHttpHeaders, text: string): void => {
      const json = ((headers['content-type'] ?? '').includes('json') ? JSON.parse(text) : {}) as Answer['json'];
      const [took, tookSteady] = [performance.now() - startedAt, now() - startedSteady];
      resolve({ status, headers, text, json, took, tookSteady });
    };
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: agent ?? false,
      headers: {
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(payload !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(payload),
        }),
        ...headers,
      },
    });
    const tooLong = setTimeout(
      () => outgoing.destroy(new Error(`There was no response within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    outgoing.on('close', () => clearTimeout(tooLong));
    outgoing.on('error', (error) => done(0, {}, error.message));
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done(response.statusCode!, response.headers, text));
      response.on('error', (error) => done(0, {}, error.message));
    });
    outgoing.end(payload);
  });
}
