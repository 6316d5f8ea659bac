import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdFrom } from './request-id';

const answers: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The header is too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request took too long to arrive' },
};

const invalidInput = (message: string) => JSON.stringify({ error: { code: 'INVALID_INPUT', message } });

/** Answers malformed HTTP in the shape of every other error, because it never becomes a request. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, message } = answers[error.code ?? ''] ?? {
      status: '400 Bad Request',
      message: 'The request is not valid HTTP',
    };
    const body = invalidInput(message);
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Request-Id: ${requestIdFrom(undefined)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}

/**
 * Returns whether a request has more than one `Host`, which must be refused (RFC 9112, section 3.2). A proxy may use the
 * other one and cache the response under it.
 */
export function namesSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

export function refuseSeveralHosts(response: ServerResponse): void {
  response.writeHead(400, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestIdFrom(undefined),
    Connection: 'close',
  });
  response.end(invalidInput('The request has more than one Host header'));
}

export function refuseMisdirected(response: ServerResponse): void {
  response.writeHead(421, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestIdFrom(undefined),
  });
  response.end(
    JSON.stringify({ error: { code: 'NOT_FOUND', message: 'This host is answered by another part of the service' } }),
  );
}
