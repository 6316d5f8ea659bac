import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdFrom } from './before-routing';

const answers: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The header is too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request took too long to arrive' },
};

/** What is no HTTP never becomes a request: it is answered here, in the shape of every other error. */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, message } = answers[error.code ?? ''] ?? {
      status: '400 Bad Request',
      message: 'The request is not valid HTTP',
    };
    const body = JSON.stringify({ error: { code: 'INVALID_INPUT', message } });
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `X-Request-Id: ${requestIdFrom(undefined)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
