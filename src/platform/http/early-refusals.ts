import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { type DomainError, domainError } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import { requestIdFrom } from './request-id';

export class HeadersTooLarge extends domainError(
  'HEADERS_TOO_LARGE',
  () => 'The header of the request is too large; send less than 16 kB',
) {}

export class RequestTimeout extends domainError(
  'REQUEST_TIMEOUT',
  () => 'The request took too long to arrive; send it again',
) {}

const invalidHttp = (message: string): InvalidInput => InvalidInput.asAWhole('invalid_format', message);

/** A socket with the response that Node currently writes to it. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null };

/** The time in which a client can read its refusal and close the connection, in milliseconds. */
const closeWithinMs = 5000;

const reasons = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' };

/** Returns the refusal of a request that Node could not read, and its status. */
function refusalOf({ code }: NodeJS.ErrnoException): { status: keyof typeof reasons; error: DomainError } {
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, error: new HeadersTooLarge() };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, error: new RequestTimeout() };
  return { status: 400, error: invalidHttp('The request is not valid HTTP; check its start line and headers') };
}

/**
 * Returns the fault of a request without `Host` or with more than one, or null. Both must be refused (RFC 9112, section 3.2).
 * A proxy may use another `Host` than this service and cache the response under it.
 */
export function hostFaultOf({ rawHeaders, httpVersionMinor }: IncomingMessage): string | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts === 1) return null;
  if (hosts > 1) return 'The request has more than one Host header; send one';
  // HTTP/1.0 does not have the header.
  return httpVersionMinor === 0 ? null : 'The request has no Host header; send one';
}

/** Refuses requests that reach no route, in the shape of every other error. Each refusal is logged with its id. */
export class EarlyRefusals {
  constructor(
    private readonly log: Logger,
    private readonly limitMs = closeWithinMs,
  ) {}

  /** Answers what Node cannot read, because it never becomes a request. */
  watch(server: Server): void {
    server.on('clientError', (error: NodeJS.ErrnoException, socket: AnsweringSocket) => {
      // A second head inside a response that has begun would be read as part of it.
      const hasBegun = socket._httpMessage?.headersSent ?? false;
      if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) return void socket.destroy();
      const refusal = refusalOf(error);
      this.#endWith(socket, refusal.status, refusal.error);
    });
    // Node would close the connection without an answer.
    server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      this.#endWith(socket, 400, invalidHttp('CONNECT is not supported; this service is no proxy'));
      // Node does not read this socket any more, and would never see its end.
      socket.resume();
    });
  }

  /** Refuses a request with the fault of `hostFaultOf`, and closes its connection. */
  refuseHost(request: IncomingMessage, response: ServerResponse, fault: string): void {
    response.setHeader('Connection', 'close');
    this.#refuse(request, response, 400, invalidHttp(fault));
  }

  refuseMisdirected(request: IncomingMessage, response: ServerResponse): void {
    const message =
      'This host is answered by another part of the service; send the request to a process whose ROLE answers it';
    this.#refuse(request, response, 421, { code: 'NOT_FOUND', message });
  }

  #endWith(socket: Socket, status: keyof typeof reasons, error: DomainError): void {
    const body = bodyOf(error);
    const requestId = requestIdFrom(undefined);
    this.#record(requestId, status);
    socket.end(
      `HTTP/1.1 ${status} ${reasons[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
    );
    // A client that keeps its side open, or goes on to send, would keep the connection.
    const tooLong = setTimeout(() => socket.destroy(), this.limitMs).unref();
    socket.once('close', () => clearTimeout(tooLong));
  }

  #refuse(request: IncomingMessage, response: ServerResponse, status: number, error: Refusal): void {
    const body = bodyOf(error);
    const requestId = requestIdFrom(request.headers['x-request-id']);
    this.#record(requestId, status);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
    });
    response.end(body);
  }

  #record(requestId: string, status: number): void {
    this.log.info({ request_id: requestId, status }, 'request refused');
  }
}

type Refusal = Pick<DomainError, 'code' | 'message' | 'details'>;

const bodyOf = ({ code, message, details }: Refusal): string =>
  JSON.stringify({ error: { code, message, ...(details !== undefined && { details }) } });
