import { deviations } from './described';
import type { TestService } from './service';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Parsed; undefined for an image. */
  body: unknown;
  text: string;
  /** The request, for the message of a failed expectation. */
  request: string;
}

/**
 * A request of the management API, `path` under /api/v1, the body as JSON text. An answer that is not what the API
 * description says fails the test.
 */
export async function ask(on: TestService, key: string, method: string, path: string, json?: string): Promise<Answer> {
  const response = await fetch(`${on.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
    ...(json !== undefined && { body: json }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  const found = deviations(method, path.split('?', 1)[0]!, {
    status: response.status,
    headers: response.headers,
    body,
  });
  if (found.length > 0) throw new Error(`${found.join('\n')}\n${text.slice(0, 500)}`);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    text,
    request: `${method} ${path} ${json ?? ''}`,
  };
}
