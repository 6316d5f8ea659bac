import { connect } from 'node:net';
import { maxWaitMs } from './eventually';

/** A response in the form that the matchers read. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** The unparsed status line and headers. */
  head: string;
  text: string;
  /** The text parsed as JSON, or an empty object if it is not JSON. */
  body: Record<string, unknown>;
}

/** Sends exactly these bytes on a new connection and reads until the server closes it. */
export function sendBytes(url: string, ...bytes: (string | Buffer)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(maxWaitMs, () => socket.destroy(new Error(`There was no response within ${maxWaitMs} ms.`)));
    socket.on('connect', () => bytes.forEach((chunk) => socket.write(chunk)));
    socket.on('data', (chunk) => received.push(chunk));
    // A server resets the connection after its response if it does not read all of a refused body.
    socket.on('error', (error) => (received.length === 0 ? reject(error) : undefined));
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(received).toString())));
  });
}

/** Sends one request with the given start line and headers, and closes the connection. */
export function sendRequest(
  url: string,
  startLine: string,
  headers: Record<string, string> | [string, string][] = {},
  body: string | Buffer = '',
): Promise<RawAnswer> {
  const given: [string, string][] = Array.isArray(headers) ? headers : Object.entries(headers);
  const named = (name: string) => given.some(([other]) => other.toLowerCase() === name);
  const lines = given.map(([name, value]) => `${name}: ${value}`);
  if (!named('host')) lines.push('Host: localhost:3000');
  if (body.length > 0 && !named('content-length') && !named('transfer-encoding'))
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  lines.push('Connection: close');
  return sendBytes(url, `${startLine} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, body);
}

function parseAnswer(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, end < 0 ? undefined : end);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const sent = end < 0 ? '' : answer.slice(end + 4);
  const text = headers['transfer-encoding'] === 'chunked' ? unchunked(sent) : sent;
  return { status: Number(statusLine.split(' ')[1]), headers, head, text, body: asJson(text) };
}

function unchunked(text: string): string {
  const [size = '0', ...rest] = text.split('\r\n');
  const length = parseInt(size, 16);
  return length ? rest.join('\r\n').slice(0, length) + unchunked(rest.join('\r\n').slice(length + 2)) : '';
}

function asJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
