import { responseFaults } from './response-validation';
import type { TestService } from './service';

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  /** Parsed; undefined for an image. */
  body: unknown;
  text: string;
  /** The request line and body, for failure messages. */
  request: string;
}

/**
 * Sends a request to the management API.
 * @param path relative to /api/v1
 * @param json the body as JSON text
 * @throws Error if the response does not match the API description
 */
export async function sendApiRequest(
  on: TestService,
  key: string,
  method: string,
  path: string,
  json?: string,
): Promise<ApiResponse> {
  const response = await fetch(`${on.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
    ...(json !== undefined && { body: json }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  const faults = responseFaults(method, path.split('?', 1)[0]!, {
    status: response.status,
    headers: response.headers,
    body,
  });
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${text.slice(0, 500)}`);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    text,
    request: `${method} ${path} ${json ?? ''}`,
  };
}
