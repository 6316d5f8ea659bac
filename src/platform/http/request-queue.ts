import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { responseLimits } from './server-limits';

/** Node's HTTP parser, which `@types/node` does not describe. */
type ParsedSocket = Socket & { parser?: { onIncoming: () => number } | null };

/**
 * Starts the requests of a connection one after the other, and stops reading while one waits. Node would start all pipelined
 * requests of a chunk at once, and keep every response until the client has read the earlier ones.
 *
 * A client that pipelines too many gets the responses that wait, the last with `Connection: close` (RFC 9112, section 9.3.2).
 */
export class RequestQueue {
  /** Requests that wait now, and connections that were reset because too many waited. */
  readonly counts = { waiting: 0, cut: 0 };
  /** Waiting requests of each connection that has pipelined. */
  readonly #waiting = new Map<Socket, number>();

  constructor(private readonly start: RequestListener) {}

  /** Handles the server's `request` event. A request that is not pipelined costs one comparison. */
  readonly listener: RequestListener = (request, response) => {
    // Node assigns the socket when all earlier responses of the connection are flushed.
    if (response.socket !== null) this.start(request, response);
    else this.#hold(request, response);
  };

  #hold(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const { maxWaitingRequests, maxWaitingPerConnection } = responseLimits;
    const waiting = this.#waiting.get(socket) ?? 0;
    if (socket.destroyed || waiting >= maxWaitingPerConnection) return;
    if (this.counts.waiting >= maxWaitingRequests) {
      this.counts.cut++;
      skipInput(socket);
      return void socket.resetAndDestroy();
    }
    if (!this.#waiting.has(socket)) this.#watch(socket);
    this.#count(socket, 1);
    socket.pause();
    if (waiting + 1 === maxWaitingPerConnection) {
      response.shouldKeepAlive = false;
      skipInput(socket);
    }
    // The next turn of the event loop serves other connections first.
    response.once('socket', () => setImmediate(() => this.#release(request, response)));
  }

  #release(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (!this.#waiting.has(socket)) return; // The connection is closed.
    if (this.#count(socket, -1) === 0) socket.resume();
    this.start(request, response);
  }

  #watch(socket: Socket): void {
    // Node resumes the socket when it discards the body of an answered request.
    socket.on('resume', () => {
      if (this.#waiting.get(socket)! > 0) socket.pause();
    });
    socket.once('close', () => {
      this.#count(socket, -this.#waiting.get(socket)!);
      this.#waiting.delete(socket);
    });
    this.#waiting.set(socket, 0);
  }

  #count(socket: Socket, more: number): number {
    const waiting = this.#waiting.get(socket)! + more;
    this.#waiting.set(socket, waiting);
    this.counts.waiting += more;
    return waiting;
  }
}

/**
 * Makes the parser skip the requests that follow, as after an upgrade. Node would parse all that it has read, even after
 * `destroy`, and keep the requests until the next turn of the event loop.
 *
 * Measured: 600 connections with 64 kB of requests each take 1 GB and block for 30 s; with this, 146 MB and 1 s.
 */
function skipInput(socket: ParsedSocket): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
}
