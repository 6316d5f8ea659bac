import { Agent, request } from 'node:http';
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

/** A PNG of one pixel. */
const smallPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * Sends a request to the management API.
 * @param path relative to /api/v1
 * @param json the body as JSON text. An upload of a picture without one gets a small picture
 * @throws Error if the response does not match the API description
 */
export async function sendApiRequest(
  on: TestService,
  key: string,
  method: string,
  path: string,
  json?: string,
): Promise<ApiResponse> {
  const isPicture = method === 'POST' && path.split('?')[0]!.endsWith('/pictures') && json === undefined;
  const body = isPicture ? smallPicture : json;
  const response = await send(`${on.url}/api/v1${path}`, method, body, {
    Authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'Content-Type': isPicture ? 'image/png' : 'application/json' }),
  });
  const { text } = response;
  const isJson = response.headers['content-type']?.startsWith('application/json');
  const answer: unknown = isJson ? JSON.parse(text) : undefined;
  const received = { status: response.status, headers: response.headers, body: answer };
  const faults = responseFaults(method, path.split('?', 1)[0]!, received);
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${text.slice(0, 500)}`);
  return { ...received, text, request: `${method} ${path} ${json ?? ''}` };
}

const agent = new Agent({ keepAlive: true });

/** Sends a request over kept connections. `fetch` takes twice the processor time, and some specs send thousands. */
function send(
  url: string,
  method: string,
  body: string | Buffer | undefined,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode!, headers: incoming.headers as Record<string, string>, text });
      });
    });
    outgoing.end(body);
  });
}
